/* Texts that a format makes of strings are as long as those together, and what stands between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void into_array(const char *folder, const char *name) {
  char path[100];
  if (strlen(folder) + strlen(name) + 2 > sizeof path)
    return;
  sprintf(path, "%s/%s", folder, name); // SAFE: out-of-bounds of sprintf(path)
  puts(path);                           // SAFE: out-of-bounds; SAFE: uninit-read
}

static void one_byte_less(const char *folder, const char *name) {
  char path[100];
  if (strlen(folder) + strlen(name) + 1 > sizeof path)
    return;
  sprintf(path, "%s/%s", folder, name); // POSSIBLE: out-of-bounds of sprintf(path)
}

static void into_block(const char *folder, const char *name) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  if (!path)
    return;
  sprintf(path, "%s/%s", folder, name); // SAFE: out-of-bounds of sprintf(path)
  puts(path);                           // SAFE: out-of-bounds
  free(path);
}

static void another_string(const char *folder, const char *name, const char *other) {
  char *path = malloc(strlen(folder) + strlen(name) + 2);
  if (!path)
    return;
  sprintf(path, "%s/%s", folder, other); // POSSIBLE: out-of-bounds of sprintf(path)
  free(path);
}

static void with_ending(const char *name) {
  char *file = malloc(strlen(name) + 5);
  if (!file)
    return;
  sprintf(file, "%s.txt", name); // SAFE: out-of-bounds of sprintf(file)
  if (strlen(file) < 4)          // SAFE: out-of-bounds
    puts(file);
  free(file);
}

static void with_longer_ending(const char *name) {
  char *file = malloc(strlen(name) + 5);
  if (!file)
    return;
  sprintf(file, "%s.html", name); // POSSIBLE: out-of-bounds of sprintf(file)
  free(file);
}

static void with_number(const char *name, unsigned char number) {
  char *file = malloc(strlen(name) + 5);
  if (!file)
    return;
  sprintf(file, "%s-%u", name, number); // SAFE: out-of-bounds of sprintf(file)
  free(file);
}

static void with_width(const char *name) {
  char *file = malloc(strlen(name) + 5);
  if (!file)
    return;
  sprintf(file, "%9s", name); // POSSIBLE: out-of-bounds of sprintf(file)
  free(file);
}

/* What was written is no longer than what was counted. */
static void put_behind(const char *name) {
  char *file = malloc(strlen(name) + 9);
  if (!file)
    return;
  sprintf(file, "%s.tar", name); // SAFE: out-of-bounds of sprintf(file)
  strcat(file, ".gz");           // SAFE: out-of-bounds of strcat(file)
  free(file);
}

static void put_too_much_behind(const char *name) {
  char *file = malloc(strlen(name) + 9);
  if (!file)
    return;
  sprintf(file, "%s.tar", name); // SAFE: out-of-bounds of sprintf(file)
  char *end = file + strlen(file);
  strcpy(end, ".bzip"); // POSSIBLE: out-of-bounds of strcpy(end)
  free(file);
}

/* The string that was counted is another one when the text is made. */
static void changed_between(char *folder, const char *name) {
  char path[100];
  if (strlen(folder) + strlen(name) + 2 > sizeof path)
    return;
  folder[0] = '+';
  sprintf(path, "%s/%s", folder, name); // POSSIBLE: out-of-bounds of sprintf(path)
}

/* Nothing is written where there is no room for the zero. */
static int without_room(const char *name) {
  char text[8] = "hello";
  size_t room = strlen(name);
  if (room > sizeof text)
    return 0;
  snprintf(text, room, "%s", "");
  if (room == 0)
    return 10 / (int)room; // ALWAYS: div-by-zero
  return text[strlen(text)];
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 1;
  into_array(argv[1], argv[2]);
  one_byte_less(argv[1], argv[2]);
  into_block(argv[1], argv[2]);
  another_string(argv[1], argv[2], argv[3]);
  with_ending(argv[1]);
  with_longer_ending(argv[1]);
  with_number(argv[1], (unsigned char)argc);
  with_width(argv[1]);
  put_behind(argv[1]);
  put_too_much_behind(argv[1]);
  changed_between(argv[1], argv[2]);
  return without_room(argv[1]);
}
