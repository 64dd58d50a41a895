struct sample {
  int a;
  int b;
  struct { int c[10]; };
} __attribute__((preserve_access_index));

int first_a(struct sample *s) { return s[0].a; }
int a(struct sample *s) { return s->a; }
int b(struct sample *s) { return s->b; }
int second_c(struct sample *s) { return s[1].c[5]; }
