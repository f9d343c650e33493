// Lets a test follow `import('./name.js')`, the spelling a lazy import needs, to `name.ts` when nothing is built.
module.exports = (request, options) => {
  try {
    return options.defaultResolver(request, options);
  } catch (notFound) {
    if (!/^\.{1,2}\/.*\.js$/.test(request)) throw notFound;
    return options.defaultResolver(request.replace(/\.js$/, '.ts'), options);
  }
};
