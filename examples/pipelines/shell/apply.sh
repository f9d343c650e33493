#!/bin/sh
# apply.sh STACK DIGEST: applies plan.json if it is the approved plan, its start is as it was, and it keeps the policies that apply now; else it changes nothing.
# Writes result.md. Exit codes: 0 applied; those of plan verify when it was not: 2 stale, 6 something could not be read, 4 the token, 5 a mandatory policy, such as
# a freeze window that began since; any other: of pulumi up.
set -eu
rm -f result.md
stack="$1"
digest="$2"
status=0
npx --no -- pulumi-oneops plan verify plan.json --stack "$stack" --live --digest "$digest" > result.txt 2>&1 || status=$?
said='The plan was **not applied** by this run, which changed nothing.'
if [ "$status" = 0 ]; then
  pulumi up --stack "$stack" --plan plan.json --skip-preview --yes --non-interactive --color never > result.txt 2>&1 || status=$?
  # Without this line the run did not begin, for example because another one has locked the state.
  if [ "$status" = 0 ]; then said='The plan was applied.'
  elif grep -q '^Updating' result.txt; then said='The plan **failed** on the way. What is done is in the state: preview again.'; fi
fi
cat result.txt
{
  printf '<!-- pulumi-oneops applied %s -->\n\n## %s\n\n%s\n\nPlan: `%s`\n\n' "$stack" "$stack" "$said" "$digest"
  tail -n 60 result.txt | cut -c1-400 | sed 's/^/    /'
} > result.md
exit "$status"
