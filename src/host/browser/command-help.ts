/** What `browser help` prints: how it is used, and what nobody can guess. Pure. */
import { momentWords } from './clock.ts';
import { usage } from './command-words.ts';
import { temporaryDownloads } from './downloads.ts';
import { keyWords } from './keys.ts';
import { longest, most } from './outline.ts';
import { mostTabs } from './tab-numbers.ts';
import { spotWords } from './spots.ts';
import { longestLine, mostLines } from './watch.ts';

export const help = `${usage}

TARGET is an element as it was printed, such as 'button "Send"', or its name where only one has it. A quotation mark or a backslash of a name has a backslash before it: button "Say \\"hi\\"". States behind it are joined: button "Send" (disabled, focused). A disabled one cannot be clicked; one that only has aria-disabled can.
POINT is ${spotWords}: browser drag 'Canvas "Plan" @ 20,30' 'Canvas "Plan" @ 220,30' draws or drags with the mouse, through all points that are named; touch does so with a finger, and taps where it is one point. What can be dropped is dropped at the last one.
pixel prints the colour that the page has at POINT, such as #0a7f3c: what is drawn is told by no line of a page.
open of the address that is open loads it again; another fragment (#…) of it stays in the same page, as in an address bar.
upload clicks TARGET and gives FILE to the file chooser that it opens: TARGET is a file input, its label, or a button that opens one.
A file that the page saves lies in ${temporaryDownloads} then, and the answer has a line for it: downloaded "board.json" as ${temporaryDownloads}/board.json
A later download of the same name takes the place of the earlier one.
console tells what the page printed and threw since the browser was opened, and each alert, confirm and prompt with its text and how it was answered: its first ${mostLines} lines, ${longestLine} characters of each.
stored prints what the page keeps in localStorage, as a JSON object; with KEY and TEXT it is put there first, such as one that is damaged. Open the page again to see what it makes of it.
A text of more than ${longest.name} characters and a field of more than ${longest.value} are printed in part, and say how much more there is; of a page ${most.printed} lines are printed, and all by read all; wait, click and type find what lies below.
What lies in a frame is printed below the line of the frame, and is clicked and typed into like all else. Where it cannot be told, that line says so: Iframe "Map" (its page is not shown)
tab goes to tab N, 1 to ${mostTabs}, where all that follows is done; one that is not open yet opens empty. 1 is where it begins, and a tab that a page opens gets the next number: a new tab was opened as tab 2: ADDRESS
All tabs have the same localStorage, clock, viewport and dialogs; each has its address, console and status. Only the one in front is visible, the others run on. What any of them throws and nobody catches fails the call.
clock sets what pages take for now, the open one at once and those that are opened later: WHEN is ${momentWords}.
Their clock runs on from there, over reloads too. Timers keep their real pace; workers, servers and commands keep the real time. A page that stays open over night: browser clock 2026-11-25T23:59 then open index.html then clock 2026-11-26T00:01 then read
A page that has to be scrolled sideways has a line for it: Width: 508 px, in a window of 360 px
Blanks and line breaks in a row are printed as one blank; only what a field holds is printed as it is.
Keys: ${keyWords}.
The browser goes on between calls, and ends with the command or verification in which it was opened.
Variables such as TZ count only where the browser starts, at the first open, clock or viewport: TZ=Asia/Tokyo browser open index.html`;
