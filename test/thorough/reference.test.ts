import '../browser/reference.test.ts';
