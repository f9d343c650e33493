#!/bin/sh
# github-approved.sh STACK COMMIT: finds what was approved with the pull request that a commit on GitHub merged. Prints pull_request=, head= and digest=.
# Reads COMMENT_TOKEN and GITHUB_REPOSITORY; GITHUB_API_URL and COMMENT_USER, whose comment counts, where they are set.
set -eu
export MARKER="<!-- pulumi-oneops preview $1 -->"
github() { printf 'header = "Authorization: Bearer %s"\n' "$COMMENT_TOKEN" | curl --config - --silent --show-error --fail "$@"; }
repository="${GITHUB_API_URL:-https://api.github.com}/repos/$GITHUB_REPOSITORY"
merged="$(github "$repository/commits/$2/pulls" | node -p 'const [merged] = JSON.parse(require("fs").readFileSync(0, "utf8")).filter((each) => each.merged_at);
  merged ? `${merged.number} ${merged.head.sha}` : ""')"
[ -n "$merged" ] || { echo "no pull request was merged by commit $2: there is no approved plan" >&2; exit 1; }
number="${merged%% *}"
digest="$(github "$repository/issues/$number/comments?per_page=100" | node -p 'const comment = JSON.parse(require("fs").readFileSync(0, "utf8"))
  .find(({ user, body }) => user.login === (process.env.COMMENT_USER ?? user.login) && body.startsWith(process.env.MARKER));
  /^Plan: `([0-9a-f]{64})`$/m.exec(comment?.body ?? "")?.[1] ?? ""')"
[ -n "$digest" ] || { echo "no comment on pull request $number names a plan of stack $1" >&2; exit 1; }
printf 'pull_request=%s\nhead=%s\ndigest=%s\n' "$number" "${merged#* }" "$digest"
