/**
 * Reads CSV as spreadsheets write it: fields in quotes may hold commas, doubled quotes and line breaks; lines end as on
 * Unix or Windows; a byte order mark at the start is no part of the first field.
 *
 * @param {string} text
 * @returns {{ line: number, fields: string[] }[]} one entry for each row that is not empty; `line` is where it begins
 */
export function parseCsv(text) {
  const rows = [];
  let row = { line: 1, fields: [] };
  let field = '';
  let line = 1;
  let quoted = false;

  const endField = () => {
    row.fields.push(field);
    field = '';
  };
  const endRow = () => {
    endField();
    if (row.fields.length > 1 || row.fields[0] !== '') rows.push(row);
    row = { line, fields: [] };
  };

  for (let i = text.startsWith('\uFEFF') ? 1 : 0; i < text.length; i += 1) {
    const c = text[i];
    if (c === '\n') line += 1;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') {
        field += '"';
        i += 1;
      } else quoted = false;
    } else if (c === '"' && field === '') quoted = true;
    else if (c === ',') endField();
    else if (c === '\n') endRow();
    else if (c !== '\r') field += c;
  }
  endRow();
  return rows;
}
