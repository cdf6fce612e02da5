// From process start to a client, in raw C. Usage: start_raw LIBRARY
#include <unistd.h>

#include "raw.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const raw::Session session = raw::open(argv[1]);
  _exit(session.device ? 0 : 1);
}
