/** The numbers that tabs of a browser may have, in the order in which pages open them. */
export const tabNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const mostTabs = tabNumbers.length;
