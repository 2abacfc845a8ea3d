/** Makes the engine do something else than it does, to see that it is noticed. Functions are named by reference, so a rename breaks nothing. */

type Anything = (...args: never[]) => unknown;

/** Where a function can be replaced, in a bundle that is made so (scripts/swappable.mjs). */
const places = (globalThis as { swaps?: Map<Anything, (other: Anything) => void> }).swaps;

/** Puts another function in the place of an exported one, for all that call it, in its own file too. */
export function swap<F extends Anything>(sound: F, make: (sound: F) => F): void {
  const put = places?.get(sound);
  if (!put) throw new Error(`"${sound.name}" cannot be swapped: the engine does not export it, or this bundle is not made for it.`);
  const other = make(sound);
  places?.set(other, put);
  put(other);
}

/** Changes a row, an action or a tool, which all hold by reference. */
export function change<T extends object>(sound: T, make: (sound: T) => Partial<T>): void {
  Object.assign(sound, make({ ...sound }));
}

/** What acts on the one that is given, but for what is overridden. */
export function overriding<T extends object>(original: T, own: Partial<T>): T {
  return new Proxy(original, {
    get(target, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof T];
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
