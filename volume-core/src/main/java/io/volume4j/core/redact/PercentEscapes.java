package io.volume4j.core.redact;

/** Percent-encoding with hexadecimal digits of either case (RFC 3986, section 2.1). */
final class PercentEscapes {
    private PercentEscapes() {}

    static Reading decode(Reading in, boolean form) {
        Reading.Builder out = new Reading.Builder(in.size(), in.packed());
        int at = 0;
        while (at < in.size()) {
            int value = in.charAt(at) == '%' ? Digits.number(in, at + 1, 2, 16) : -1;
            if (value >= 0) {
                out.add(value, in.from(at), in.to(at + 2));
                at += 3;
            } else {
                out.add(form && in.charAt(at) == '+' ? ' ' : in.at(at), in.from(at), in.to(at));
                at++;
            }
        }
        return out.build();
    }
}
