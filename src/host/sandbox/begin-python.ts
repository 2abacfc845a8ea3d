/** How a script in Python begins and ends (`begin.ts`). */
import { pythonInstalled } from './python-packages.ts';
import { pythonReachFile } from './reach.ts';

/**
 * Modules of the standard library are found before those of the tree, whatever the script does with its search path. `sys.exit`
 * in a file of the tree does not end the script, and neither does status 0 where the tree changed what the language gives.
 */
export const beginPython = String.raw`
import builtins, os, sys

# What the work replaces in the language has no effect on these functions.
__builtins__ = dict(vars(builtins))
realpath, startswith = os.path.realpath, str.startswith


class StandardLibraryFirst:
    finder = sys.meta_path[-1]
    names = frozenset(getattr(sys, 'stdlib_module_names', ())) | frozenset(sys.builtin_module_names)
    path = list(sys.path)
    folder = os.path.dirname(os.__file__) + '/'

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if path is None and name in cls.names:
            return cls.finder.find_spec(name, cls.path)
        return None

${pythonInstalled}

def begin():
    os.set_inheritable(5, False)
    given = bytearray()
    while True:
        chunk = os.read(5, 65536)
        if not chunk:
            break
        given += chunk
    mark, root, path, script = bytes(given).split(b'\n', 3)
    root, path = os.fsdecode(root), os.fsdecode(path)
    sys.path += installed(root) + [root]
    sys.meta_path.insert(0, StandardLibraryFirst)
    sys.argv = [path]
    main = type(sys)('__main__')
    main.__file__ = path
    main.__builtins__ = builtins
    sys.modules['__main__'] = main
    write = os.write
    follow()

    agreeing = []
    watch_classes(root + '/', agreeing)
    given_names = dict(vars(builtins))
    failed = []

    def finish():
        if failed:
            return
        changed = changed_by(root + '/', given_names)
        if agreeing:
            os.write(2, ('[loop: a value of the work agrees with everything that it is asked: class %s]\n' % agreeing[0]).encode())
        elif changed is None:
            write(5, mark + b'\n')
        else:
            os.write(2, ('[loop: the work changed %s in the process of the script]\n' % changed).encode())

    def is_called_by_own():
        frame = sys._getframe(2)
        while frame and startswith(frame.f_code.co_filename, (StandardLibraryFirst.folder, '<')):
            frame = frame.f_back
        # Without a caller, the work left the call to the interpreter's end or to a thread.
        return frame is not None and not lies_in(root + '/', frame.f_code.co_filename)

    def ending(real, is_zero):
        def end(*words, **named):
            if is_zero(words) and is_called_by_own():
                finish()
            return real(*words, **named)

        return end

    # The script may end so, or leave its end to another program.
    os._exit = ending(os._exit, lambda words: words == (0,))
    os.execv, os.execve = ending(os.execv, lambda words: True), ending(os.execve, lambda words: True)

    def is_own(trace):
        while trace.tb_next:
            trace = trace.tb_next
        name = trace.tb_frame.f_code.co_filename
        return not lies_in(root + '/', name)

    try:
        exec(compile(script, path, 'exec'), main.__dict__)
    except SystemExit as stop:
        if stop.code not in (None, 0):
            failed.append(stop.code)
        else:
            if not is_own(stop.__traceback__):
                failed.append(stop)
                sys.stderr.write('[loop: a file of the work ended the script]\n')
                sys.exit(125)
            finish()
        raise
    except BaseException as error:
        failed.append(error)
        report(error.with_traceback(error.__traceback__.tb_next), path, script)
        sys.exit(1)
    finish()


def follow():
    try:
        with open('${pythonReachFile}') as text:
            exec(compile(text.read(), '${pythonReachFile}', 'exec'), {'__name__': 'reach'})
    except OSError:
        pass


def lies_in(root, file):
    return isinstance(file, str) and not startswith(file, '<') and startswith(realpath(file), root)


def watch_classes(root, agreeing):
    # What is equal to an object that it cannot know, or holds a text that it cannot know, would please any script.
    build = builtins.__build_class__
    text = os.urandom(16).hex()
    questions = {'__eq__': (object(), True), '__ne__': (object(), False), '__contains__': (text, True)}
    questions.update(startswith=(text, True), endswith=(text, True))
    # A rule of the work may well hold every text; a value may not.
    values = (str, bytes, list, tuple, dict, set)

    def watched(name, method, owner):
        unknown, agrees = questions[name]

        def asked(self, *words, **named):
            answer = method(self, *words, **named)
            try:
                if answer is not NotImplemented and bool(answer) is agrees and not agreeing:
                    other = method(self, unknown)
                    if other is not NotImplemented and bool(other) is agrees:
                        agreeing.append(owner)
            except Exception:
                pass
            return answer

        asked.__name__, asked.__qualname__, asked.__doc__, asked.__wrapped__ = name, method.__qualname__, method.__doc__, method
        return asked

    def __build_class__(body, name, *bases, **named):
        kind = build(body, name, *bases, **named)
        if isinstance(kind, type) and lies_in(root, body.__code__.co_filename):
            for key in questions:
                method = vars(kind).get(key)
                if isinstance(method, type(body)) and (key in ('__eq__', '__ne__') or issubclass(kind, values)):
                    type.__setattr__(kind, key, watched(key, method, name))
        return kind

    builtins.__build_class__ = __build_class__


def changed_by(root, given_names):
    places = {}

    def in_tree(file):
        if file not in places:
            places[file] = lies_in(root, file)
        return places[file]

    code_type = type(begin.__code__)

    def file_of(value):
        code = getattr(getattr(value, '__func__', value), '__code__', None)
        if isinstance(code, code_type):
            return code.co_filename
        kind = value if isinstance(value, type) else type(value)
        return getattr(sys.modules.get(kind.__module__), '__file__', None)

    modules = dict(sys.modules)
    if not any(in_tree(getattr(module, '__file__', None)) for module in modules.values()):
        return None
    for name, value in given_names.items():
        if vars(builtins).get(name) is not value and name != '_':
            return name
    for name, module in modules.items():
        if name.split('.')[0] not in StandardLibraryFirst.names:
            continue
        if in_tree(getattr(module, '__file__', None) if isinstance(module, type(sys)) else file_of(module)):
            return name
        if not isinstance(module, type(sys)):
            # Some classes stand for modules.
            if isinstance(module, type):
                continue
            return name
        for key, value in list(vars(module).items()):
            if isinstance(value, type(sys)):
                continue
            if in_tree(file_of(value)):
                return name + '.' + key
            if isinstance(value, type) and value.__module__ == name:
                for part, member in list(vars(value).items()):
                    code = getattr(getattr(member, '__func__', member), '__code__', None)
                    if isinstance(code, code_type) and in_tree(code.co_filename):
                        return '%s.%s.%s' % (name, key, part)
    return None


def report(error, path, script):
    if sys.excepthook is not sys.__excepthook__:
        return sys.excepthook(type(error), error, error.__traceback__)
    import linecache, traceback
    lines = script.decode('utf-8', 'replace').splitlines(True)
    linecache.cache[path] = (len(script), None, lines, path)
    traceback.print_exception(type(error), error, error.__traceback__)


begin()
`;
