#!/bin/sh
# gitlab-approved.sh STACK COMMIT: finds what was approved with the merge request that a commit on GitLab merged, and fetches its plan.json. Prints
# merge_request= and digest=. Reads COMMENT_TOKEN, CI_API_V4_URL and CI_PROJECT_ID.
set -eu
export MARKER="<!-- pulumi-oneops preview $1 -->"
gitlab() { printf 'header = "PRIVATE-TOKEN: %s"\n' "$COMMENT_TOKEN" | curl --config - --silent --show-error --fail "$@"; }
project="$CI_API_V4_URL/projects/$CI_PROJECT_ID"
iid="$(gitlab "$project/repository/commits/$2/merge_requests" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))
  .find(({ state }) => state === "merged")?.iid ?? ""')"
[ -n "$iid" ] || { echo "no merge request was merged by commit $2: there is no approved plan" >&2; exit 1; }
digest="$(gitlab "$project/merge_requests/$iid/notes?per_page=100&sort=asc" | node -p '/^Plan: `([0-9a-f]{64})`$/m.exec(
  JSON.parse(require("fs").readFileSync(0, "utf8")).find(({ body }) => body.startsWith(process.env.MARKER))?.body ?? "")?.[1] ?? ""')"
[ -n "$digest" ] || { echo "no comment on merge request $iid names a plan of stack $1" >&2; exit 1; }
gitlab --output plan.json "$project/jobs/artifacts/refs%2Fmerge-requests%2F$iid%2Fhead/raw/plan.json?job=plan"
printf 'merge_request=%s\ndigest=%s\n' "$iid" "$digest"
