package io.volume4j.core.control;

import java.util.ArrayList;
import java.util.List;

/** What a builder must have been given: says all that is missing at once. */
final class Needs {
    private final String what;
    private final List<String> missing = new ArrayList<>();

    private Needs(String what) {
        this.what = what;
    }

    /** @param what is built, with its article */
    static Needs of(String what) {
        return new Needs(what);
    }

    Needs given(boolean there, String call) {
        if (!there) {
            missing.add(call);
        }
        return this;
    }

    /** What {@code build()} throws. */
    IllegalStateException missing() {
        return new IllegalStateException(what + " needs " + String.join(" and ", missing) + " before build()");
    }
}
