import { findServiceMessage } from '../../../../nodes/core/net/responses/response';

const words = (body: unknown) => findServiceMessage(JSON.stringify(body));

describe('the words of the service', () => {
	test.each([
		['error.message', { error: { message: 'One.', code: 5 }, message: 'Two.' }, 'One.'],
		['error', { error: 'One.', errors: [{ message: 'Two.' }] }, 'One.'],
		['errors', { errors: [{ code: 1, message: 'One.', field: 'a' }], message: 'Two.' }, 'One.'],
		['several errors', { errors: [{ message: 'One.' }, 'Two.', {}] }, 'One.; Two.'],
		['message', { message: 'One.', detail: 'Two.' }, 'One.'],
		['detail', { detail: 'One.', name: ['Two.'] }, 'One.'],
		['field errors', { bucket_id: ['Required.', 'Wrong.'] }, 'bucket_id: Required. Wrong.'],
		['errors of two fields', { a: ['One.'], b: ['Two.'] }, 'a: One.; b: Two.'],
		['a JSON text', 'One.', 'One.'],
		['an error without words, then a message', { error: { code: 5 }, message: 'One.' }, 'One.'],
		['an empty error, then a detail', { error: ' ', errors: [], detail: ' One. ' }, 'One.'],
	])('are read from %s', (_, body, expected) => {
		expect(words(body)).toBe(expected);
	});

	test.each([
		['plain text', ' gone \n', 'gone'],
		[
			'the title of a page',
			'<html><head><title>\n502  Bad\tGateway </title></head>',
			'502 Bad Gateway',
		],
		['a page with a doctype', '<!DOCTYPE html><title lang="en">Login</title><p>x', 'Login'],
	])('are read from %s', (_, body, expected) => {
		expect(findServiceMessage(body)).toBe(expected);
	});

	test.each([
		['nothing', ''],
		['white space', ' \n'],
		['a page without a title', '<html><body><h1>Oops</h1></body></html>'],
		['a page with an empty title', '<html><title> </title></html>'],
		['an empty object', '{}'],
		['an empty list', '[]'],
		['half of its JSON', '{"message": "One'],
		['an empty JSON text', '""'],
		['a JSON text of white space', '"  "'],
		['errors that say nothing', '{"errors":[{"code":7}]}'],
		['an empty list of errors', '{"errors":[]}'],
		['data that are no errors', '{"results":[{"id":1}]}'],
	])('are none in %s', (_, body) => {
		expect(findServiceMessage(body)).toBeUndefined();
	});

	test('are cut when they are long', () => {
		const cut = findServiceMessage('x'.repeat(10_000));
		expect(cut).toMatch(/^x{500}…$/);
	});
});
