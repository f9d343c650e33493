#!/bin/sh
# gitlab-issue.sh STACK FILE STATUS: keeps one issue on GitLab for the drift of a stack. FILE is the Markdown
# report of a review (drift --report markdown=FILE), STATUS its exit code: 2 (drift, or not deployed) or 5 (a broken
# policy) opens or updates the issue, 0 closes it.
# With any other code nobody knows whether the stack is in sync: the issue stays as it is, and the script ends with it.
# Needs glab, and reads its GITLAB_TOKEN, and CI_PROJECT_URL. The issue is found by its label, so its title is free.
set -eu
label="oneops-drift-$1"
case "$3" in 0 | 2 | 5) ;; *) echo "the review of $1 ended with $3: its issue stays as it is" >&2; exit "$3" ;; esac
find_issue() { glab issue list --repo "$CI_PROJECT_URL" --label "$label" --per-page 1 --output-format ids "$@"; }
open="$(find_issue)"
closed=''
[ -n "$open" ] || closed="$(find_issue --closed)"
if [ -z "$open$closed" ]; then
  [ "$3" != 0 ] || exit 0
  glab issue create --repo "$CI_PROJECT_URL" --title "Drift in $1" --label "$label" --description "$(cat "$2")" --yes
  exit 0
fi
if [ "$3" != 0 ]; then
  [ -n "$open" ] || glab issue reopen "$closed" --repo "$CI_PROJECT_URL"
  glab issue update "$open$closed" --repo "$CI_PROJECT_URL" --description "$(cat "$2")"
elif [ -n "$open" ]; then
  glab issue update "$open" --repo "$CI_PROJECT_URL" --description "$(cat "$2")"
  glab issue close "$open" --repo "$CI_PROJECT_URL"
fi
