/* Typedefs, enumerations and types of two units, which pahole -C prints. */
typedef struct { int anon; } anon_t; anon_t a; typedef struct tagd { anon_t a; } tagd_t; tagd_t b;
typedef struct { int q; } array_t[3]; array_t c; typedef struct { int q; } *pointer_t; pointer_t d;
typedef union { int a; char b; } union_t; union_t e; typedef union named { int a; char b; } named_t; named_t f;
typedef _Atomic int atomic_t; atomic_t g; typedef const struct { int z; } const_t; const_t h;
typedef int (*function_t)(int, ...); function_t i; typedef int proto_t(long); proto_t *j; typedef void void_t; void_t *k;
typedef union { int a; char b; } unions_t[2]; unions_t l; typedef enum { C1 } enums_t[2]; enums_t m;
typedef int matrix_t[2][3]; matrix_t n; typedef union_t again_t; again_t o;
typedef struct { long l; struct { int i; union { int k; char c; }; } in; } deep_t; deep_t p;
typedef enum number { N1, N2 = -5 } number_t; number_t q; typedef char __attribute__((vector_size(8))) vector_t; vector_t r;
typedef const void *const *pointers_t; pointers_t s; struct only_declared; typedef struct only_declared declared_t; declared_t *t;
void local(void) { struct inside { int x; } y; (void)y; }
