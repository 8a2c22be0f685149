package io.volume4j.inmemory.scenario;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One expected condition. */
record Expectation(Kind kind, Value value) {
    enum Kind {
        OBJECT("object", "matches"),
        ABSENT("absent"),
        UNCHANGED("unchanged"),
        EVENTS("events"),
        ONLY_EVENTS("onlyEvents"),
        NO_EVENTS("noEvents"),
        CALLS("calls"),
        ONLY_CALLS("onlyCalls"),
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
        List<String> words = Arrays.stream(Kind.values()).map(Kind::word).toList();
        throw fields.isEmpty()
                ? value.error("an expectation is one of " + String.join(", ", words))
                : value.key(fields.keySet().iterator().next()).unknown("expectation", words);
    }

    private static void check(Kind kind, Value value) {
        Value what = value.require(kind.word);
        switch (kind) {
            case OBJECT -> {
                Value matches = value.require("matches");
                if (matches.fields().isEmpty()) {
                    throw matches.error("there is no field, so that nothing would be checked");
                }
                KnownFields.check(Names.object(what).kind(), matches);
            }
            case ABSENT, UNCHANGED -> Names.object(what);
            case EVENTS -> what.someItems().forEach(Expectation::checkEvent);
            case ONLY_EVENTS ->
                what.someItems().forEach(event -> {
                    checkEvent(event);
                    event.require("reason");
                });
            case NO_EVENTS -> checkEvent(what);
            case CALLS, ONLY_CALLS, NO_CALLS -> what.someItems().forEach(Names::callText);
            case MOUNTED -> Names.pod(pod(what, Set.of("pod", "volume", "node")));
            case UNMOUNTED -> Names.pod(pod(what, Set.of("pod", "node")));
            case EXPLAINS -> {
                what.fields(Set.of("object", "contains"));
                Names.object(what.require("object"));
                what.require("contains").text();
            }
        }
    }

    private static final List<String> EVENT_TYPES = List.of("Normal", "Warning");
    private static final Set<String> EVENT_KEYS = new LinkedHashSet<>(List.of("type", "reason", "object", "message"));

    private static void checkEvent(Value event) {
        event.fields(EVENT_KEYS).forEach((key, value) -> {
            switch (key) {
                case "type" -> {
                    if (!EVENT_TYPES.contains(value.text())) {
                        throw value.unknown("type of event", EVENT_TYPES);
                    }
                }
                case "reason" -> {
                    if (!EventReasons.ALL.contains(value.text())) {
                        throw value.unknown("reason of an event", EventReasons.ALL);
                    }
                }
                case "object" -> Names.object(value);
                default -> value.text();
            }
        });
    }

    private static Value pod(Value what, Set<String> keys) {
        what.fields(keys);
        return what.require("pod");
    }

    Value subject() {
        return value.require(kind.word);
    }
}
