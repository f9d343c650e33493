#!/bin/sh
# promote.sh STACK DIGEST: applies the approved plan.json to a stack, outside of its freeze windows, once the stack before it runs this commit,
# nobody changed it, and its checks pass.
# Exit codes: 8 frozen, 7 the stack before it is not ready; else those of apply.sh.
set -eu
stack="$1"
digest="$2"
# From the clock alone: what the environment says could open a window.
today="$(date -u +%F)"
why="$(awk -v stack="$stack" -v today="$today" '$1 == stack && $2 <= today && today <= $3 { print $2 " to " $3 ": " $4 }' freeze.txt)"
[ -z "$why" ] || { echo "$stack is frozen from $why" >&2; exit 8; }
case "$stack" in
  dev) former= ;;
  staging) former=dev ;;
  prod) former=staging ;;
  *) echo "there is no stack $stack to promote to" >&2; exit 1 ;;
esac
if [ -n "$former" ]; then
  # This commit is applied there, and what was applied is what runs.
  pulumi preview --stack "$former" --expect-no-changes --non-interactive > former.txt 2>&1 &&
    npx --no -- pulumi-oneops drift --checks --stack "$former" >> former.txt 2>&1 ||
    { cat former.txt; echo "$stack waits: $former does not run this commit, somebody changed it, or a check fails" >&2; exit 7; }
fi
sh node_modules/pulumi-oneops/examples/pipelines/shell/apply.sh "$stack" "$digest"
