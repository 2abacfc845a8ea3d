/** How many hours a sprint may run. Apart from the config's schema, because the editor's bundle has no library. */

export const usualHours = 24;
/** More than any sprint takes, for those that began before there was a limit. */
export const mostHours = 1000;
