#include <cstdio>
int main() { std::puts("assay"); return 0; }
