package io.volume4j.inmemory.host;

import java.util.Base64;

/** PEM text (RFC 7468). */
final class Pem {
    private static final int LINE = 64;

    private Pem() {}

    static String of(String label, byte[] der) {
        String body = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }
}
