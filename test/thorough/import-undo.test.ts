import '../api/panel/import-undo.test.ts';
