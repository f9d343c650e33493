// Runs one operation of a TypeScript program's stack through the Automation API, as a program of its own would: node program-driver.cjs up
const { LocalWorkspace, PulumiCommand } = require('@pulumi/pulumi/automation');

async function main([operation, ...flags]) {
  const pulumiCommand = await PulumiCommand.get({ root: process.env.ENGINE_ROOT });
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: 'dev', projectName: 'program', program: async () => require(`${process.cwd()}/program.js`) },
    { workDir: process.cwd(), pulumiCommand },
  );
  for (const [key, value] of Object.entries(JSON.parse(process.env.STACK_CONFIG))) {
    await stack.setConfig(key, { value, secret: key === 'oneops:token' });
  }
  const options = {
    onOutput: (text) => process.stdout.write(text),
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  };
  const result = await stack[operation](options);
  const outputs = Object.fromEntries(
    Object.entries(result.outputs ?? {}).map(([name, output]) => [name, output.value]),
  );
  process.stdout.write(
    `\nRESULT ${JSON.stringify({ outputs, changes: result.summary?.resourceChanges ?? result.changeSummary })}\n`,
  );
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
