package io.volume4j.inmemory.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One thing that must be true. */
record Expectation(Kind kind, Value value) {
    enum Kind {
        OBJECT("object", "matches"),
        ABSENT("absent"),
        UNCHANGED("unchanged"),
        EVENTS("events"),
        NO_EVENTS("noEvents"),
        CALLS("calls"),
        NO_CALLS("noCalls"),
        MOUNTED("mounted"),
        UNMOUNTED("unmounted"),
        EXPLAINS("explains");

        private final String word;
        private final String keys;

        Kind(String word, String... more) {
            this.word = word;
            this.keys = String.join(" ", more);
        }

        private Set<String> keys() {
            Set<String> all = new LinkedHashSet<>(List.of(word));
            if (!keys.isEmpty()) {
                all.addAll(List.of(keys.split(" ")));
            }
            return all;
        }

        String word() {
            return word;
        }
    }

    static Expectation of(Value value) {
        Map<String, Value> fields = value.fields();
        for (Kind kind : Kind.values()) {
            if (fields.containsKey(kind.word)) {
                value.fields(kind.keys());
                check(kind, value);
                return new Expectation(kind, value);
            }
        }
        throw value.error(
                "unknown expectation " + fields.keySet()
                        + "; there are object, absent, unchanged, events, noEvents, calls, noCalls, mounted, unmounted, explains");
    }

    private static void check(Kind kind, Value value) {
        Value what = value.require(kind.word);
        switch (kind) {
            case OBJECT -> {
                Names.object(what);
                value.require("matches").fields();
            }
            case ABSENT, UNCHANGED -> Names.object(what);
            case EVENTS -> what.items().forEach(event -> event.fields(EVENT_KEYS));
            case NO_EVENTS -> what.fields(EVENT_KEYS);
            case CALLS, NO_CALLS -> what.texts();
            case MOUNTED -> Names.pod(pod(what, Set.of("pod", "volume", "node")));
            case UNMOUNTED -> Names.pod(pod(what, Set.of("pod", "node")));
            case EXPLAINS -> {
                what.fields(Set.of("object", "contains"));
                Names.object(what.require("object"));
            }
        }
    }

    private static final Set<String> EVENT_KEYS = new LinkedHashSet<>(List.of("type", "reason", "object", "message"));

    private static Value pod(Value what, Set<String> keys) {
        what.fields(keys);
        return what.require("pod");
    }

    Value subject() {
        return value.require(kind.word);
    }
}
