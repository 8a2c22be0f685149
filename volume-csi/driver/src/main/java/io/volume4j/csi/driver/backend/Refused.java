package io.volume4j.csi.driver.backend;

import io.grpc.Status.Code;

/** The driver refuses a call, with the code of the specification's error table. */
public final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;

    public Refused(Code code, String message) {
        super(message);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    /** The reason; never null. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    static Refused notFound(String what, String id) {
        return new Refused(Code.NOT_FOUND, "no " + what + " has the id \"" + id + "\"");
    }

    static Refused invalid(String why) {
        return new Refused(Code.INVALID_ARGUMENT, why);
    }

    static Refused precondition(String why) {
        return new Refused(Code.FAILED_PRECONDITION, why);
    }

    static Refused exists(String why) {
        return new Refused(Code.ALREADY_EXISTS, why);
    }
}
