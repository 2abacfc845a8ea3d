/**
 * What the kinds of nodes mean in each language, as far as faults need it: the names are those of the grammars. A kind that is
 * missing here only costs a fault.
 */
import type { Language } from './language.ts';

export interface Grammar {
  /** Kinds in which nothing is changed: imports, types, attributes, and the like. */
  passive: string;
  functions: string;
  /** Kinds whose signs are operators. */
  binary: string;
  numbers: string;
  /** The words of a string, without its quotes. */
  words: string;
  strings: string;
  booleans: string;
  /** Kinds with a condition, as `kind.field`; without a field it is the first thing in them. */
  conditions: string;
  /** The same, where it decides whether to go round again. */
  loops: string;
  /** Kinds of `return`. */
  returns: string;
  /** Kinds that leave a block. */
  jumps: string;
  calls: string;
  /** A statement that is a call: the kinds around the call; `''` where a call stands in a block itself. */
  statements: string;
  /** Kinds that hold statements. */
  blocks: string;
  lists: string;
  /** What stands for nothing, as a statement and as a value; no value where the compiler would refuse it. */
  nothing: string;
  none: string | undefined;
  not: (condition: string) => string;
  true: string;
  false: string;
}

const not = (condition: string): string => `!(${condition})`;
const signs = { not, true: 'true', false: 'false' };

const javascript: Grammar = {
  ...signs,
  passive:
    'import_statement type_annotation type_alias_declaration interface_declaration ambient_declaration type_arguments type_parameters literal_type union_type object_type decorator regex jsx_closing_element import',
  functions: 'function_declaration generator_function_declaration function_expression arrow_function method_definition',
  binary: 'binary_expression augmented_assignment_expression update_expression',
  numbers: 'number',
  words: 'string_fragment jsx_text',
  strings: 'string template_string',
  booleans: 'true false',
  conditions: 'if_statement.condition ternary_expression.condition',
  loops: 'while_statement.condition do_statement.condition for_statement.condition',
  returns: 'return_statement',
  jumps: 'return_statement throw_statement break_statement continue_statement',
  calls: 'call_expression',
  statements: 'expression_statement await_expression',
  blocks: 'program statement_block switch_case switch_default',
  lists: 'arguments',
  nothing: ';',
  none: 'undefined',
};

const cpp: Grammar = {
  ...signs,
  passive:
    'preproc_include preproc_def preproc_function_def preproc_if preproc_ifdef using_declaration template_argument_list static_assert_declaration enumerator_list bitfield_clause array_declarator',
  functions: 'function_definition lambda_expression',
  binary: 'binary_expression assignment_expression update_expression',
  numbers: 'number_literal',
  words: 'string_content raw_string_content',
  strings: 'string_literal raw_string_literal',
  booleans: 'true false',
  conditions: 'if_statement.condition conditional_expression.condition',
  loops: 'while_statement.condition do_statement.condition for_statement.condition',
  returns: 'return_statement',
  jumps: 'return_statement throw_statement break_statement continue_statement goto_statement',
  calls: 'call_expression',
  statements: 'expression_statement',
  blocks: 'compound_statement case_statement',
  lists: 'argument_list',
  nothing: ';',
  none: '0',
};

export const grammars: Record<Language, Grammar> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  // Without <stdbool.h> it knows no `true`.
  c: { ...cpp, true: '1', false: '0' },
  cpp,
  python: {
    passive: 'import_statement import_from_statement future_import_statement decorator type type_parameter',
    functions: 'function_definition lambda',
    binary: 'binary_operator comparison_operator boolean_operator augmented_assignment',
    numbers: 'integer float',
    words: 'string_content',
    strings: 'string',
    booleans: 'true false',
    conditions: 'if_statement.condition elif_clause.condition if_clause',
    loops: 'while_statement.condition',
    returns: 'return_statement',
    jumps: 'return_statement raise_statement break_statement continue_statement',
    calls: 'call',
    statements: 'expression_statement await',
    blocks: 'module block',
    lists: 'argument_list',
    nothing: 'pass',
    none: 'None',
    not: (condition) => `not (${condition})`,
    true: 'True',
    false: 'False',
  },
  shell: {
    passive: 'file_redirect variable_name special_variable_name heredoc_start heredoc_end extglob_pattern regex',
    functions: 'function_definition',
    binary: 'binary_expression list unary_expression',
    numbers: 'number',
    words: 'string_content raw_string heredoc_body',
    strings: 'string',
    booleans: '',
    conditions: 'if_statement.condition elif_clause',
    loops: 'while_statement.condition',
    returns: '',
    jumps: '',
    calls: 'command',
    statements: '',
    blocks: 'program compound_statement do_group if_statement elif_clause else_clause case_item subshell',
    lists: '',
    nothing: ':',
    none: undefined,
    not: (condition) => `! { ${condition}; }`,
    true: 'true',
    false: 'false',
  },
  go: {
    ...signs,
    passive: 'package_clause import_declaration type_declaration field_declaration type_arguments array_type',
    functions: 'function_declaration method_declaration func_literal',
    binary: 'binary_expression assignment_statement inc_statement dec_statement',
    numbers: 'int_literal float_literal',
    words: 'interpreted_string_literal_content raw_string_literal_content',
    strings: 'interpreted_string_literal raw_string_literal',
    booleans: 'true false',
    conditions: 'if_statement.condition',
    loops: 'for_clause.condition',
    returns: 'return_statement',
    jumps: 'return_statement break_statement continue_statement goto_statement',
    calls: 'call_expression',
    statements: 'expression_statement',
    blocks: 'block statement_list expression_case default_case',
    lists: 'argument_list',
    nothing: '{}',
    none: undefined,
  },
  rust: {
    ...signs,
    passive:
      'use_declaration attribute_item inner_attribute_item array_type type_arguments type_item extern_crate_declaration enum_item let_condition let_chain',
    functions: 'function_item closure_expression',
    binary: 'binary_expression compound_assignment_expr range_expression',
    numbers: 'integer_literal float_literal',
    words: 'string_content',
    strings: 'string_literal raw_string_literal',
    booleans: 'boolean_literal',
    conditions: 'if_expression.condition',
    loops: 'while_expression.condition',
    returns: 'return_expression',
    jumps: 'return_expression break_expression continue_expression',
    calls: 'call_expression macro_invocation',
    statements: 'expression_statement await_expression try_expression',
    blocks: 'block',
    lists: 'arguments',
    nothing: '();',
    none: undefined,
  },
  java: {
    ...signs,
    passive: 'package_declaration import_declaration annotation marker_annotation type_arguments type_parameters dimensions_expr',
    functions: 'method_declaration constructor_declaration lambda_expression',
    binary: 'binary_expression assignment_expression update_expression',
    numbers: 'decimal_integer_literal decimal_floating_point_literal',
    words: 'string_fragment multiline_string_fragment',
    strings: 'string_literal',
    booleans: 'true false',
    conditions: 'if_statement.condition ternary_expression.condition',
    loops: 'while_statement.condition do_statement.condition for_statement.condition',
    returns: 'return_statement',
    jumps: 'return_statement throw_statement break_statement continue_statement',
    calls: 'method_invocation',
    statements: 'expression_statement',
    blocks: 'block switch_block_statement_group',
    lists: 'argument_list',
    nothing: ';',
    none: undefined,
  },
  kotlin: {
    ...signs,
    passive: 'package_header import_list import_header annotation file_annotation user_type type_arguments type_parameters',
    functions: 'function_declaration anonymous_function lambda_literal',
    binary:
      'comparison_expression equality_expression conjunction_expression disjunction_expression additive_expression multiplicative_expression assignment postfix_expression range_expression',
    numbers: 'integer_literal real_literal long_literal',
    words: 'string_content',
    strings: 'string_literal',
    booleans: 'boolean_literal',
    conditions: 'if_expression',
    loops: 'while_statement',
    returns: 'jump_expression',
    jumps: 'jump_expression',
    calls: 'call_expression',
    statements: '',
    blocks: 'statements source_file',
    lists: 'value_arguments',
    nothing: 'Unit',
    none: undefined,
  },
  ruby: {
    ...signs,
    passive: 'superclass regex',
    functions: 'method singleton_method lambda',
    binary: 'binary operator_assignment range',
    numbers: 'integer float',
    words: 'string_content heredoc_content',
    strings: 'string',
    booleans: 'true false',
    conditions: 'if.condition elsif.condition unless.condition if_modifier.condition unless_modifier.condition conditional.condition',
    loops: 'while.condition until.condition while_modifier.condition until_modifier.condition',
    returns: 'return',
    jumps: 'return break next redo',
    calls: 'call',
    statements: '',
    blocks: 'program body_statement then else do block_body begin',
    lists: 'argument_list',
    nothing: 'nil',
    none: 'nil',
  },
  php: {
    ...signs,
    passive:
      'declare_statement namespace_definition namespace_use_declaration attribute_list require_expression require_once_expression include_expression include_once_expression php_tag text_interpolation text primitive_type',
    functions: 'function_definition method_declaration anonymous_function arrow_function',
    binary: 'binary_expression augmented_assignment_expression update_expression',
    numbers: 'integer float',
    words: 'string_content heredoc_body',
    strings: 'string encapsed_string',
    booleans: 'boolean',
    conditions: 'if_statement.condition else_if_clause.condition conditional_expression.condition',
    loops: 'while_statement.condition do_statement.condition for_statement.condition',
    returns: 'return_statement',
    jumps: 'return_statement throw_expression break_statement continue_statement exit_statement',
    calls: 'function_call_expression member_call_expression scoped_call_expression nullsafe_member_call_expression',
    statements: 'expression_statement',
    blocks: 'program compound_statement case_statement default_statement',
    lists: 'arguments',
    nothing: ';',
    none: 'null',
  },
  csharp: {
    ...signs,
    passive: 'using_directive attribute_list type_argument_list type_parameter_list array_rank_specifier',
    functions: 'method_declaration constructor_declaration local_function_statement lambda_expression property_declaration',
    binary: 'binary_expression assignment_expression postfix_unary_expression prefix_unary_expression',
    numbers: 'integer_literal real_literal',
    words: 'string_literal_content string_content raw_string_content',
    strings: 'string_literal interpolated_string_expression raw_string_literal',
    booleans: 'boolean_literal',
    conditions: 'if_statement.condition conditional_expression.condition',
    loops: 'while_statement.condition do_statement.condition for_statement.condition',
    returns: 'return_statement',
    jumps: 'return_statement throw_statement break_statement continue_statement',
    calls: 'invocation_expression',
    statements: 'expression_statement await_expression',
    blocks: 'block switch_section compilation_unit',
    lists: 'argument_list',
    nothing: ';',
    none: undefined,
  },
  html: { ...noCode(), words: 'text attribute_value', passive: 'doctype script_element style_element' },
  css: { ...noCode(), numbers: 'integer_value float_value', passive: 'import_statement charset_statement selectors keyframe_block_list' },
};

/** For a language that only holds what a page shows. */
function noCode(): Grammar {
  return {
    ...signs,
    passive: '',
    functions: '',
    binary: '',
    numbers: '',
    words: '',
    strings: '',
    booleans: '',
    conditions: '',
    loops: '',
    returns: '',
    jumps: '',
    calls: '',
    statements: '',
    blocks: '',
    lists: '',
    nothing: '',
    none: undefined,
  };
}
