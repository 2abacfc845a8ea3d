/** Imported first: takes the words that the panel put into the page, before other modules hold words. */
import { useWords } from '../words.ts';

const text = document.getElementById('words')?.textContent;
if (text) useWords(JSON.parse(text) as Record<string, string>);
