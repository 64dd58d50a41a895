struct base { int x; virtual int f(int v) { return v + x; } };
struct other { long y; };
struct shared { int s; };
namespace ns {
  class derived : public base, protected other {
  public:
    static int count;
    int &r;
    int &&rv;
    int z;
    derived(int &q) : r(q), rv(static_cast<int &&>(q)) {}

  private:
    int hidden = 1;
    unsigned bits : 3;
  };
  int derived::count = 3;
  enum class color : signed char { red = -1, blue = 2 };
  enum plain { one, two };
  template <typename T, int N> struct box { T value[N]; const T *first; };
  struct left : virtual shared { int l; };
  struct right : virtual shared { int r; };
  struct diamond : left, right { int d; };
  union either { int i; float f; };
  namespace { 
  struct secret {
    char c;
    struct { int in; };
    union { int a; float b; } u;
  };
  secret hidden;
  }
  using number = unsigned long;
  struct members {
    int base::*data;
    int (base::*method)(int);
    int (*call)(const char *, ...);
    number n;
    bool flag;
    char16_t wide;
    volatile const int *const cv = nullptr;
    int grid[2][3];
  };
  box<color, 3> boxed;
  base made;
  int table[3][4] = {{1}};
  members m;
  diamond d;
  either e;
}
struct last final : ns::derived { using ns::derived::derived; ns::plain p; };
int target;
last tail(target);
int read(ns::derived *d, last &l) {
  return d->f(d->z) + (int)ns::boxed.value[0] + ns::table[1][2] + l.z;
}
int base_read(const base &b, int (&arr)[4]) {
  return b.x + arr[0] + ns::hidden.c + (int)ns::m.n;
}
