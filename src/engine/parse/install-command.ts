/** Commands that may install dependencies. They may use the network, so only plain calls of package managers are allowed. */

const managers = [
  /^npm (ci|install)$/,
  /^pnpm install( --frozen-lockfile)?$/,
  /^yarn install( --(frozen-lockfile|immutable))?$/,
  /^(python3? -m )?pip3? install (-r [\w./-]+|-e \.|\.)$/,
  /^uv sync( --frozen)?$/,
  /^poetry install$/,
  /^go mod download$/,
  /^cargo fetch( --locked)?$/,
  /^bundle install$/,
];

/** What is wrong with an install command, or undefined. An empty command is allowed. */
export function installProblem(command: string): string | undefined {
  const plain = command.trim();
  if (plain === '' || managers.some((pattern) => pattern.test(plain))) return undefined;
  return `"${plain}" is not a plain install command of a package manager (npm ci, npm install, pip install -r FILE, uv sync, go mod download …). Give one of these, or leave it empty.`;
}
