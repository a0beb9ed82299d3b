import { fromJson, type JsonObject } from '@bufbuild/protobuf';
import { FeatureSetSchema } from '@bufbuild/protobuf/wkt';
import type { ReflectionObject } from 'protobufjs';

/** What an edition lets a file choose, such as whether fields know that they are set. */
export function featuresOf({ options }: ReflectionObject): object {
	const features = options?.features as JsonObject | undefined;
	if (!features) return {};
	return { features: fromJson(FeatureSetSchema, features, { ignoreUnknownFields: true }) };
}
