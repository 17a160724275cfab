
/* Stores what is recorded for the conversions of a scanf format. */
static int cellog_scan(struct cellog_queue *queue, const char *format, va_list list) {
    int count = (int)cellog_number(queue, CELLOG_CONVERSIONS), done = 0;
    for (; *format; format++) {
        int length = 0, skip = 0;
        void *to;
        const struct cellog_input *value;
        if (*format != '%') continue;
        format++;
        if (*format == '%') continue;
        if (*format == '*') { skip = 1; format++; }
        while (*format >= '0' && *format <= '9') format++;
        for (;; format++) {
            if (*format == 'h') length--;
            else if (*format == 'l' || *format == 'z' || *format == 't') length++;
            else if (*format == 'L' || *format == 'q' || *format == 'j') length += 2;
            else break;
        }
        if (*format == '[') {
            format++;
            if (*format == '^') format++;
            if (*format == ']') format++;
            while (*format && *format != ']') format++;
        }
        if (!*format) break;
        if (skip) continue;
        if (done >= count && *format != 'n') break;
        to = va_arg(list, void *);
        switch (*format) {
        case 's': case 'S': case ']':
            cellog_take(queue, CELLOG_LENGTH);
            cellog_text(queue, to, length > 0 || *format == 'S' ? 4 : 1);
            break;
        case 'c': case 'C':
            cellog_copy(to, cellog_take(queue, CELLOG_BYTES));
            break;
        default:
            value = cellog_need(queue, CELLOG_CONVERTED);
            if (!value) return count;
            switch (*format) {
            case 'a': case 'e': case 'f': case 'g': case 'A': case 'E': case 'F': case 'G':
                if (length == 0) *(float *)to = (float)value->real;
                else if (length == 1) *(double *)to = value->real;
                else *(long double *)to = value->real;
                break;
            default:
                if (length <= -2) *(signed char *)to = (signed char)value->number;
                else if (length == -1) *(short *)to = (short)value->number;
                else if (length == 0) *(int *)to = (int)value->number;
                else if (length == 1) *(long *)to = (long)value->number;
                else *(long long *)to = value->number;
            }
        }
        if (*format != 'n') done++;
    }
    return count;
}
