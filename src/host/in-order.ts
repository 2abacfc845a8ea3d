/** Jobs one after the other, while their caller goes on. After the first that fails none runs, and `done` throws its error. */
export function inOrder(): { add: (job: () => Promise<void>) => void; done: () => Promise<void> } {
  let tail = Promise.resolve();
  return {
    add(job) {
      tail = tail.then(job);
      // Else Node ends the process before anyone asks whether it is done.
      tail.catch(() => undefined);
    },
    done: () => tail,
  };
}
