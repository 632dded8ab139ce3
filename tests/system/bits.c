/*
 * A program without any library, so that compilers for 64 bits make one of 32 of it: it prints its environment, ends
 * when standard input does, and has exit status 3.
 */
enum { EXIT = 1, READ = 3, WRITE = 4 };

static int call(int number, int file, const void *bytes, int size)
{
    int answer;

    __asm__ volatile("int $0x80" : "=a"(answer) : "0"(number), "b"(file), "c"(bytes), "d"(size) : "memory");
    return answer;
}

__asm__(".globl _start\n_start: movl %esp, %eax\n pushl %eax\n call begin\n");

/* `words` has their number, so many words, 0, and what is in the environment. */
void begin(char **words);
void begin(char **words)
{
    char byte;

    for (char **each = words + (long)words[0] + 2; *each != 0; ++each) {
        int length = 0;
        while ((*each)[length] != '\0')
            ++length;
        call(WRITE, 1, *each, length);
        call(WRITE, 1, "\n", 1);
    }
    while (call(READ, 0, &byte, 1) > 0)
        ;
    call(EXIT, 3, 0, 0);
}
