/** Mocha passes over a promise that is rejected while nobody waits for it: such a test has failed, and says by what. */
process.on('unhandledRejection', (reason) => {
  throw reason;
});
