/** Real outputs of failing interpreters, compilers and linters. Only home folders are renamed. */
import type { Output } from './tests.ts';

export const bashNoCommand: Output = {
  exit: 127,
  output: `a.sh: line 1: total-of: command not found
`,
};

export const shNoCommand: Output = {
  exit: 127,
  output: `a.sh: 1: total-of: not found
`,
};

export const bashCaught: Output = {
  exit: 1,
  output: `b.sh: line 1: total-of: command not found
no total printed
`,
};

export const bashNotExecutable: Output = {
  exit: 126,
  output: `bash: line 1: ./c.txt: Permission denied
`,
};

export const npmMissingScript: Output = {
  exit: 1,
  output: `npm error Missing script: "build"
npm error
npm error To see a list of scripts, run:
npm error   npm run
npm error A complete log of this run can be found in: /home/clerk/.npm/_logs/2026-11-20T13_33_36_477Z-debug-0.log
`,
};

export const nodeNoPackage: Output = {
  exit: 1,
  output: `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module 'left-pad'
Require stack:
- /tmp/sprint/[eval]
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at Module.require (node:internal/modules/cjs/loader:1289:19)
    at require (node:internal/modules/helpers:182:18)
    at [eval]:1:1
    at runScriptInThisContext (node:internal/vm:209:10)
    at node:internal/process/execution:118:14
    at [eval]-wrapper:6:24
    at runScript (node:internal/process/execution:101:62)
    at evalScript (node:internal/process/execution:133:3) {
  code: 'MODULE_NOT_FOUND',
  requireStack: [ '/tmp/sprint/[eval]' ]
}

Node.js v20.20.2
`,
};

export const nodeNoFile: Output = {
  exit: 1,
  output: `node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/tmp/sprint/missing.mjs'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Module._load (node:internal/modules/cjs/loader:1038:27)
    at Function.executeUserEntryPoint [as runMain] (node:internal/modules/run_main:164:12)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
`,
};

export const nodeNoImport: Output = {
  exit: 1,
  output: `node:internal/modules/esm/resolve:283
    throw new ERR_MODULE_NOT_FOUND(
          ^

Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/sprint/sum.mjs' imported from /tmp/sprint/imp.mjs
    at finalizeResolution (node:internal/modules/esm/resolve:283:11)
    at moduleResolve (node:internal/modules/esm/resolve:952:10)
    at defaultResolve (node:internal/modules/esm/resolve:1188:11)
    at ModuleLoader.defaultResolve (node:internal/modules/esm/loader:708:12)
    at #cachedDefaultResolve (node:internal/modules/esm/loader:657:25)
    at ModuleLoader.resolve (node:internal/modules/esm/loader:640:38)
    at ModuleLoader.getModuleJobForImport (node:internal/modules/esm/loader:264:38)
    at ModuleJob._link (node:internal/modules/esm/module_job:168:49) {
  code: 'ERR_MODULE_NOT_FOUND',
  url: 'file:///tmp/sprint/sum.mjs'
}

Node.js v20.20.2
`,
};

export const pythonNoModule: Output = {
  exit: 1,
  output: `Traceback (most recent call last):
  File "<string>", line 1, in <module>
ModuleNotFoundError: No module named 'nosuchmod'
`,
};

export const pythonNoFile: Output = {
  exit: 2,
  output: `/usr/bin/python3: can't open file '/tmp/sprint/missing.py': [Errno 2] No such file or directory
`,
};

export const nodeSyntax: Output = {
  exit: 1,
  output: `[eval]:1
foo(


SyntaxError: Unexpected end of input
    at makeContextifyScript (node:internal/vm:185:14)
    at node:internal/process/execution:107:22
    at [eval]-wrapper:6:24
    at runScript (node:internal/process/execution:101:62)
    at evalScript (node:internal/process/execution:133:3)
    at node:internal/main/eval_string:51:3

Node.js v20.20.2
`,
};

export const pythonSyntax: Output = {
  exit: 1,
  output: `  File "/tmp/sprint/syn.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax
`,
};

export const tsc: Output = {
  exit: 1,
  output: `t.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.
`,
};

export const rustc: Output = {
  exit: 1,
  output: `error[E0425]: cannot find value \`missing\` in this scope
 --> bad.rs:1:28
  |
1 | fn main() { println!("{}", missing); }
  |                            ^^^^^^^ not found in this scope

error: aborting due to 1 previous error

For more information about this error, try \`rustc --explain E0425\`.
`,
};

export const gcc: Output = {
  exit: 1,
  output: `bad.c: In function ‘main’:
bad.c:1:25: warning: implicit declaration of function ‘total’ [-Wimplicit-function-declaration]
    1 | int main(void) { return total(2, 3) }
      |                         ^~~~~
bad.c:1:36: error: expected ‘;’ before ‘}’ token
    1 | int main(void) { return total(2, 3) }
      |                                    ^~
      |                                    ;
`,
};

export const oxlint: Output = {
  exit: 1,
  output: `
  ! eslint(no-constant-condition): Unexpected constant condition
   ,-[l.js:1:5]
 1 | if (1) { debugger }
   :     |
   :     \`-- this expression will always evaluate to the same value
   \`----
  help: Update the condition to not be constant, or remove the condition entirely

  x eslint(no-debugger): \`debugger\` statement is not allowed
   ,-[l.js:1:10]
 1 | if (1) { debugger }
   :          ^^^^^^^^
   \`----
  help: Remove the debugger statement

Found 1 warning and 1 error.
Finished in 18ms on 1 file with 96 rules using 2 threads.
`,
};

export const prettier: Output = {
  exit: 1,
  output: `Checking formatting...
[warn] l.js
[warn] Code style issues found in the above file. Run Prettier with --write to fix.
`,
};

export const nodeTypeError: Output = {
  exit: 1,
  output: `[eval]:1
null.total
     ^

TypeError: Cannot read properties of null (reading 'total')
    at [eval]:1:6
    at runScriptInThisContext (node:internal/vm:209:10)
    at node:internal/process/execution:118:14
    at [eval]-wrapper:6:24
    at runScript (node:internal/process/execution:101:62)
    at evalScript (node:internal/process/execution:133:3)
    at node:internal/main/eval_string:51:3

Node.js v20.20.2
`,
};

export const pythonTraceback: Output = {
  exit: 1,
  output: `Traceback (most recent call last):
  File "/tmp/sprint/crash.py", line 3, in <module>
    main()
  File "/tmp/sprint/crash.py", line 2, in main
    return {}['total']
           ~~^^^^^^^^^
KeyError: 'total'
`,
};

export const ruff: Output = {
  exit: 1,
  output: `F401 [*] \`os\` imported but unused
 --> total.py:1:8
  |
1 | import os
  |        ^^
2 | def total(rows):
3 |     result = sum( r["price"]*r["count"] for r in rows )
  |
help: Remove unused import: \`os\`
  |
  - import os
1 | def total(rows):
  |

Found 1 error.
[*] 1 fixable with the \`--fix\` option.
`,
};

export const ruffConcise: Output = {
  exit: 1,
  output: `total.py:1:8: F401 [*] \`os\` imported but unused
Found 1 error.
[*] 1 fixable with the \`--fix\` option.
`,
};

export const ruffFormat: Output = {
  exit: 1,
  output: `unformatted: File would be reformatted
 --> total.py:2:1
  |
1 | import os
2 +
3 +
4 | def total(rows):
  -     result = sum( r["price"]*r["count"] for r in rows )
5 +     result = sum(r["price"] * r["count"] for r in rows)
6 |     return str(result) + 1
  |

1 file would be reformatted
`,
};

export const black: Output = {
  exit: 1,
  output: `would reformat total.py

Oh no! 💥 💔 💥
1 file would be reformatted.
`,
};

export const pylint: Output = {
  exit: 20,
  output: `************* Module total
total.py:1:0: C0114: Missing module docstring (missing-module-docstring)
total.py:2:0: C0116: Missing function or method docstring (missing-function-docstring)
total.py:1:0: W0611: Unused import os (unused-import)

------------------------------------------------------------------
Your code has been rated at 2.50/10 (previous run: 2.50/10, +0.00)

`,
};

export const eslint: Output = {
  exit: 1,
  output: `
/tmp/sprint/total.js
  1:7   error  'unused' is assigned a value but never used  no-unused-vars
  2:10  error  'total' is defined but never used            no-unused-vars
  3:40  error  'prise' is not defined                       no-undef

✖ 3 problems (3 errors, 0 warnings)

`,
};

export const mavenOffline: Output = {
  exit: 1,
  output: `[0m[0m[ERROR] Plugin org.apache.maven.plugins:maven-resources-plugin:2.6 or one of its dependencies could not be resolved: Cannot access central (https://repo.maven.apache.org/maven2) in offline mode and the artifact org.apache.maven.plugins:maven-resources-plugin:jar:2.6 has not been downloaded from it before. -> [Help 1]
[ERROR] 
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR] 
[ERROR] For more information about the errors and possible solutions, please read the following articles:
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/PluginResolutionException
[0m[0m`,
};

export const nodePortInUse: Output = {
  exit: 1,
  output: `node:events:502
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::8123
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)
    at listenInCluster (node:net:1965:12)
    at Server.listen (node:net:2067:7)
    at Server.<anonymous> ([eval]:1:97)
    at Object.onceWrapper (node:events:638:28)
    at Server.emit (node:events:524:28)
    at emitListeningNT (node:net:1951:10)
    at process.processTicksAndRejections (node:internal/process/task_queues:81:21)
Emitted 'error' event on Server instance at:
    at emitErrorNT (node:net:1944:8)
    at process.processTicksAndRejections (node:internal/process/task_queues:82:21) {
  code: 'EADDRINUSE',
  errno: -98,
  syscall: 'listen',
  address: '::',
  port: 8123
}

Node.js v20.20.2
`,
};

/** As the documentation of mypy shows it. */
export const mypy: Output = {
  exit: 1,
  output: `total.py:4: error: Unsupported operand types for + ("str" and "int")  [operator]
Found 1 error in 1 file (checked 1 source file)
`,
};

/** As Maven's compiler plugin prints it. */
export const mavenCompile: Output = {
  exit: 1,
  output: `[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR : 
[INFO] -------------------------------------------------------------
[ERROR] /tmp/sprint/src/main/java/Total.java:[3,12] incompatible types: String cannot be converted to int
[INFO] 1 error
[INFO] -------------------------------------------------------------
[INFO] ------------------------------------------------------------------------
[INFO] BUILD FAILURE
[INFO] ------------------------------------------------------------------------
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile (default-compile) on project total: Compilation failure
`,
};

/** As Maven's Surefire plugin prints it. */
export const mavenTest: Output = {
  exit: 1,
  output: `[INFO]  T E S T S
[INFO] Running TotalTest
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.05 s <<< FAILURE! -- in TotalTest
[ERROR] TotalTest.addsUp -- Time elapsed: 0.01 s <<< FAILURE!
org.opentest4j.AssertionFailedError: expected: <3> but was: <2>
\tat TotalTest.addsUp(TotalTest.java:9)
[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0
[INFO] BUILD FAILURE
[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project total: There are test failures.
`,
};

/** As Go's net/http says it, through \`log.Fatal\`. */
export const goPortInUse: Output = {
  exit: 1,
  output: `2026/11/23 03:40:00 listen tcp :8123: bind: address already in use
exit status 1
`,
};

export const goBuild: Output = {
  exit: 1,
  output: `# sums
./a.go:4:8: ok declared but not used
`,
};

export const goTestUnbuilt: Output = {
  exit: 2,
  output: `FAIL	sums [build failed]
FAIL
`,
};

export const javac: Output = {
  exit: 1,
  output: `A.java:1: error: incompatible types: String cannot be converted to int
class A { int f(int a) { return "x"; } }
                                ^
1 error
`,
};

export const cargoWithoutCode: Output = {
  exit: 101,
  output: `   Compiling r v0.1.0 (/home/ada/r)
error: expected one of \`.\`, \`;\`, \`?\`, \`else\`, or an operator, found \`println\`
 --> src/main.rs:1:28
  |
1 | fn main() { let x: i32 = 1 println!("{}", x); }
  |                            ^^^^^^^ expected one of \`.\`, \`;\`, \`?\`, \`else\`, or an operator

error: could not compile \`r\` (bin "r") due to 1 previous error
`,
};
