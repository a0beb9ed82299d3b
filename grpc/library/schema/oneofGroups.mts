import { OneOf, Type, type Field, type ReflectionObject } from 'protobufjs';

/** The types that groups in a oneof declare; they belong to the surrounding message. */
const declaredTypes = new WeakMap<OneOf, Type[]>();
const { add, onAdd } = OneOf.prototype;

// protobufjs parses a group in a oneof, but its oneofs accept fields only.
OneOf.prototype.add = function (this: OneOf, one: Field | Type): OneOf {
	if (!(one instanceof Type)) return add.call(this, one);
	declaredTypes.set(this, [...(declaredTypes.get(this) ?? []), one]);
	return this;
};

OneOf.prototype.onAdd = function (this: OneOf, parent: ReflectionObject): void {
	onAdd.call(this, parent);
	if (parent instanceof Type) for (const type of declaredTypes.get(this) ?? []) parent.add(type);
};
