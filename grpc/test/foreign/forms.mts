/** Proto files with rare forms of declarations. */
export const FORMS = [
	{
		name: 'old.proto',
		content: `package old.v1;
import "google/protobuf/any.proto";
message M {
	required string must = 1;
	optional group Inner = 2 { optional int32 x = 1; repeated group More = 2 { optional int32 y = 1; } }
	repeated int32 loose = 3;
	repeated int32 packed_one = 4 [packed = true];
	optional int32 with_default = 5 [default = 7];
	optional google.protobuf.Any any = 6;
	extensions 100 to 199, 300 to max;
	extend M { optional string nested = 101; }
	reserved 50, 60 to 70;
	reserved "gone";
}
extend M { repeated uint64 ext = 100; optional M recursive = 102; }
`,
	},
	{
		name: 'scopes.proto',
		content: `syntax = "proto3";
package scopes.a.b;
import "old.proto";
enum Top { NONE = 0; }
message T { string outer = 1; }
message M {
	message T { string inner = 1; message U { T up = 1; } }
	enum Top { option allow_alias = true; ZERO = 0; ONE = 1; UNO = 1; MINUS = -5; }
	T near = 1;
	.scopes.a.b.T far = 2;
	b.T half = 3;
	scopes.a.b.M.T whole = 4;
	T.U deep = 5;
	Top enumeration = 6;
	optional string maybe = 7;
	oneof first { string one = 8; T two = 9; }
	optional Top maybe_too = 10;
	oneof second { int32 three_3 = 11; bytes FOUR = 12; }
	map<string, T> by_name = 13;
	map<int64, M.Top> by_number_of_it = 14;
	map<bool, old.v1.M> elsewhere = 15;
	repeated Top list = 16;
	repeated double loose = 17 [packed = false];
}
service S {
	rpc Plain (T) returns (M.T);
	rpc Up (stream M) returns (.old.v1.M) {}
	rpc Down (M.T.U) returns (stream b.T);
	rpc Both (stream scopes.a.b.M) returns (stream T);
}
`,
	},
] as const;
