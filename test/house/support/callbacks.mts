import ts from 'typescript';

/**
 * Finds objects that give a part, which they construct, a callback into themselves, as in `new Part(() =>
 * this.next())`: the two then call each other, though only one imports the other. A promise is no part.
 */
export function findCallbacksIntoMaker(text: string): string[] {
	const source = ts.createSourceFile('.ts', text, ts.ScriptTarget.Latest, true);
	return collectNodes(source)
		.filter(ts.isClassLike)
		.flatMap((maker) => {
			const callbacks = getCallbackNames(maker);
			const parts = collectNodes(maker)
				.filter(ts.isNewExpression)
				.filter(({ expression }) => expression.getText() !== 'Promise');
			return parts.filter((part) => part.arguments?.some((one) => isCallback(one, callbacks)));
		})
		.map((part) => part.getText());
}

/** Collects names in a class that stand for functions with `this`: methods as `this.name`, variables as `name`. */
function getCallbackNames(maker: ts.ClassLikeDeclaration): ReadonlySet<string> {
	const methods = maker.members.filter(
		(member) =>
			ts.isMethodDeclaration(member) ||
			(ts.isPropertyDeclaration(member) && isFunction(member.initializer)),
	);
	const variables = collectNodes(maker)
		.filter(ts.isVariableDeclaration)
		.filter(({ initializer }) => isFunction(initializer) && hasThis(initializer));
	return new Set([
		...methods.map((method) => `this.${method.name?.getText()}`),
		...variables.map(({ name }) => name.getText()),
	]);
}

function isCallback(given: ts.Expression, callbacks: ReadonlySet<string>): boolean {
	if (given.kind === ts.SyntaxKind.ThisKeyword) return true;
	return collectNodes(given).some((node) => {
		if (isFunction(node)) return hasThis(node);
		return callbacks.has(node.getText()) && !isCalled(node);
	});
}

const isFunction = (node?: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
	node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const hasThis = (node: ts.Node) =>
	collectNodes(node).some(({ kind }) => kind === ts.SyntaxKind.ThisKeyword);

const isCalled = ({ parent }: ts.Node) => ts.isCallExpression(parent);

/** Lists a syntax node and all its descendants. */
function collectNodes(top: ts.Node): ts.Node[] {
	const nodes: ts.Node[] = [];
	const visit = (node: ts.Node) => {
		nodes.push(node);
		node.forEachChild(visit);
	};
	visit(top);
	return nodes;
}
