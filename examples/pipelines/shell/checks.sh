#!/bin/sh
# checks.sh REF: what a pull request changes, compared with a commit. Needs no token, no account and no service, so that it works for forks. Writes
# affected.json (folders and stacks that a run would read otherwise), comment.md (how each differs), and results.xml in each of these folders (its
# tests on the embedded service). Exit codes: 0; 2 when a test fails; those of affected when the files cannot be compared.
set -eu
status=0
npx --no -- pulumi-oneops affected --since "$1" --json > affected.json || status=$?
case "$status" in 0 | 2) status=0 ;; *) exit "$status" ;; esac
printf '<!-- pulumi-oneops render -->\n' > comment.md
for folder in $(node -p '[...new Set(JSON.parse(require("fs").readFileSync("affected.json", "utf8")).map(({ folder }) => folder))].join("\n")'); do
  [ -f "$folder/Pulumi.yaml" ] || continue # the project was removed
  (cd "$folder" && npx --no -- pulumi-oneops render --diff-from "$1" --markdown) >> comment.md || [ "$?" = 2 ]
  (cd "$folder" && npx --no -- pulumi-oneops test --junit results.xml) || status=2
done
exit "$status"
