#!/bin/sh
# plan.sh STACK: plans a stack for its approval, in the folder of its project. Writes plan.json, an artifact to keep, in which secrets are encrypted by the
# stack's own secrets provider, and comment.md, which shows what the plan does and its digest. Sends only GETs.
# Exit codes: those of preview-comment: 0 and 6 with a plan; without one 1 when the preview failed, 2 when an interrupted
# run has to be ended first, 5 when it breaks a mandatory policy; comment.md says why.
set -eu
stack="$1"
rm -f plan.json comment.md
# Before the preview: what ends while it runs makes the plan stale.
pulumi stack export --stack "$stack" --file start.json --non-interactive
if ! pulumi preview --stack "$stack" --json --show-sames --save-plan plan.json --non-interactive > preview.json; then
  rm -f plan.json
  npx --no -- pulumi-oneops preview-comment preview.json --stack "$stack" > comment.md
  exit 1 # also when only the plan could not be saved
fi
digest="$(npx --no -- pulumi-oneops plan digest plan.json --state start.json --stack "$stack")"
status=0
npx --no -- pulumi-oneops preview-comment preview.json --stack "$stack" --live --digest "$digest" > comment.md || status=$?
case "$status" in
  0 | 6)
    stale=0
    npx --no -- pulumi-oneops plan verify plan.json --state start.json --stack "$stack" --digest "$digest" > result.txt 2>&1 || stale=$?
    if [ "$stale" != 0 ]; then
      { printf '<!-- pulumi-oneops preview %s -->\n\n## No plan of %s\n\n' "$stack" "$stack"; sed 's/^/    /' result.txt; } > comment.md
      status="$stale"
      rm -f plan.json
    fi ;;
  *) rm -f plan.json ;;
esac
exit "$status"
