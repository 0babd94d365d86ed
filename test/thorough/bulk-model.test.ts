import '../api/whole-menu/bulk-model.test.ts';
