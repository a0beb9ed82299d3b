// Finds places in TypeScript where one small change gives a different program, by the syntax tree.
import ts from 'typescript';

const { SyntaxKind } = ts;

const FLIPPED_OPERATORS = {
	'<': '<=',
	'<=': '<',
	'>': '>=',
	'>=': '>',
	'===': '!==',
	'!==': '===',
	'+': '-',
	'-': '+',
	'+=': '-=',
	'-=': '+=',
	'&&': '||',
	'||': '&&',
};

/** Keys of texts that people read or n8n shows. */
const TEXT_KEY_PATTERN =
	/^(displayName|description|name|action|hint|placeholder|icon|iconColor|subtitle|documentationUrl|message)$/;
const DRAWN_KEY_PATTERN = /^(default|version|typeOptions|defaults|codex|rows)$/;

/** Finds mutations: each has its line, the present text (`from` to `to`), its replacement, and the kind of change. */
export function findMutations(text) {
	const source = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);
	const found = [];
	const add = (kind, from, to, replacement) => {
		const line = source.getLineAndCharacterOfPosition(from).line + 1;
		found.push({ kind, line, from, to, replacement });
	};
	const visit = (node) => {
		if (isSkipped(node)) return;
		for (const [kind, from, to, replacement] of getChanges(node, source)) {
			add(kind, from, to, replacement);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

function isSkipped(node) {
	if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) {
		return !ts.isExpressionWithTypeArguments(node);
	}
	if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
	return (
		ts.isPropertyAssignment(node) &&
		(hasName(node, TEXT_KEY_PATTERN) || hasName(node, DRAWN_KEY_PATTERN))
	);
}

const hasName = ({ name }, pattern) => ts.isIdentifier(name) && pattern.test(name.text);

function getChanges(node, source) {
	const start = node.getStart(source);
	const text = (part) => part.getText(source);
	const put = (kind, part, replacement) => [
		[kind, part.getStart(source), part.getEnd(), replacement],
	];
	switch (node.kind) {
		case SyntaxKind.BinaryExpression: {
			const operator = text(node.operatorToken);
			if (operator === '??') {
				return [['no default', node.left.getEnd(), node.getEnd(), '']];
			}
			const flipped = FLIPPED_OPERATORS[operator];
			return flipped ? put('operator', node.operatorToken, flipped) : [];
		}
		case SyntaxKind.IfStatement:
		case SyntaxKind.WhileStatement:
			return put('condition', node.expression, `!(${text(node.expression)})`);
		case SyntaxKind.ConditionalExpression: {
			const { condition, whenTrue, whenFalse } = node;
			const swapped = `${text(condition)} ? (${text(whenFalse)}) : (${text(whenTrue)})`;
			return [['branches', start, node.getEnd(), swapped]];
		}
		case SyntaxKind.TrueKeyword:
			return put('boolean', node, 'false');
		case SyntaxKind.FalseKeyword:
			return put('boolean', node, 'true');
		case SyntaxKind.NumericLiteral:
			return isIndexOrKey(node) ? [] : put('number', node, `(${text(node)} + 1)`);
		case SyntaxKind.BigIntLiteral:
			return put('number', node, `(${text(node)} + 1n)`);
		case SyntaxKind.StringLiteral:
			return isWord(node) ? put('text', node, "''") : [];
		case SyntaxKind.ExpressionStatement:
			return isSuper(node) ? [] : put('statement', node, ';');
		case SyntaxKind.AwaitExpression:
			return isReturned(node) ? [] : put('await', node, `(${text(node.expression)})`);
		default:
			return [];
	}
}

/** Whether a text without white space is a value, not the key of one. */
function isWord(node) {
	const { parent, text } = node;
	if (text === '' || /\s/.test(text)) return false;
	return !(ts.isPropertyAssignment(parent) && parent.name === node);
}

function isIndexOrKey({ parent }) {
	return ts.isPropertyAssignment(parent) && ts.isNumericLiteral(parent.name);
}

function isSuper({ expression }) {
	return ts.isCallExpression(expression) && expression.expression.kind === SyntaxKind.SuperKeyword;
}

/** The caller awaits what is returned: without `await` the program is the same, unless something catches errors here. */
function isReturned(node) {
	if (ts.isArrowFunction(node.parent)) return true;
	if (!ts.isReturnStatement(node.parent)) return false;
	for (let one = node; !ts.isFunctionLike(one); one = one.parent) {
		const { parent } = one;
		if (ts.isTryStatement(parent) && (one === parent.tryBlock || parent.finallyBlock)) return false;
	}
	return true;
}
