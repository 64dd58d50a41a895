int far_data[4] = {1, 2, 3, 4};
int __aeabi_read_tp(void) { return 0; }
int far_function(int x) { return x * 3; }
