#!/bin/sh
# github-issue.sh STACK FILE STATUS: keeps one issue on GitHub for the drift of a stack. FILE is the Markdown
# report of a review (drift --report markdown=FILE), STATUS its exit code: 2 (drift, or not deployed) or 5 (a broken
# policy) opens or updates the issue, 0 closes it.
# With any other code nobody knows whether the stack is in sync: the issue stays as it is, and the script ends with it.
# Needs gh, and reads its GH_TOKEN and GH_REPO. The issue is found by its label, so its title and comments are free.
set -eu
label="oneops-drift-$1"
case "$3" in 0 | 2 | 5) ;; *) echo "the review of $1 ended with $3: its issue stays as it is" >&2; exit "$3" ;; esac
# NUMBER STATE, or nothing.
issue="$(gh issue list --label "$label" --state all --limit 1 --json number,state --jq '.[] | "\(.number) \(.state)"')"
number="${issue% *}"
state="${issue#* }"
if [ -z "$issue" ]; then
  [ "$3" != 0 ] || exit 0
  gh label create "$label" --force --description "Drift that pulumi-oneops found in the stack $1"
  gh issue create --title "Drift in $1" --label "$label" --body-file "$2"
  exit 0
fi
if [ "$3" != 0 ]; then
  gh issue edit "$number" --body-file "$2"
  [ "$state" = OPEN ] || gh issue reopen "$number"
elif [ "$state" = OPEN ]; then
  gh issue edit "$number" --body-file "$2"
  gh issue close "$number"
fi
