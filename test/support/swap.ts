/** Replaces parts of the engine with wrong ones, to test that tests notice. Functions are passed by reference, so renames break nothing. */

type Anything = (...args: never[]) => unknown;

/** How to replace each exported function, in a bundle that allows it (scripts/swappable.mjs). */
const places = (globalThis as { swaps?: Map<Anything, (other: Anything) => void> }).swaps;

/** Replaces an exported function for all its callers, also those in its own file. */
export function swap<F extends Anything>(sound: F, make: (sound: F) => F): void {
  const put = places?.get(sound);
  if (!put) throw new Error(`"${sound.name}" cannot be swapped: the engine does not export it, or this bundle is not made for it.`);
  const other = make(sound);
  places?.set(other, put);
  put(other);
}

/** Changes a row, an action or a tool in place, because all its users hold the same object. */
export function change<T extends object>(sound: T, make: (sound: T) => Partial<T>): void {
  Object.assign(sound, make({ ...sound }));
}

/** A proxy that forwards to the original, except for the members in `own`. */
export function overriding<T extends object>(original: T, own: Partial<T>): T {
  return new Proxy(original, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof T];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
