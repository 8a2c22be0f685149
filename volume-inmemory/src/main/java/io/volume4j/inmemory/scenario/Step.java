package io.volume4j.inmemory.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One step of a scenario. */
record Step(Kind kind, Value value) {
    enum Kind {
        SETTLE("settle"),
        APPLY("apply"),
        DELETE("delete"),
        PATCH("patch", "object", "set"),
        ADVANCE("advance"),
        FAIL("fail", "plugin", "call", "volume", "node", "nth", "times", "as", "after"),
        BEFORE("before", "operation", "object", "do"),
        VISIT("visit"),
        HEAL("heal", "plugin"),
        REJECT_WRITES("rejectWrites", "kind", "verb", "times", "as"),
        CRASH("crash"),
        RESTART("restart"),
        REBOOT("reboot"),
        PARTITION("partition"),
        JOIN("join"),
        FENCE("fence", "node", "by"),
        SOURCES_INCOMPLETE("sourcesIncomplete"),
        SOURCES_COMPLETE("sourcesComplete"),
        CONTAINERS_STOPPED("containersStopped"),
        CONTAINERS_RUNNING("containersRunning"),
        WATCHES_LATE("watchesLate"),
        WATCHES_IN_TIME("watchesInTime"),
        REGISTER("register"),
        LOSE("lose", "volume", "node"),
        LEADER_CHANGE("leaderChange"),
        SCHEDULE("schedule", "pod", "onto", "nowhere"),
        EXPECT("expect");

        private final String word;
        private final String keys;

        Kind(String word, String... keys) {
            this.word = word;
            this.keys = String.join(" ", keys);
        }

        private Set<String> keys() {
            return keys.isEmpty() ? Set.of() : new LinkedHashSet<>(List.of(keys.split(" ")));
        }

        String word() {
            return word;
        }
    }

    static Step of(Value step) {
        Map.Entry<String, Value> field = step.onlyField();
        List<String> words = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            if (kind.word.equals(field.getKey())) {
                check(kind, field.getValue());
                return new Step(kind, field.getValue());
            }
            words.add(kind.word);
        }
        throw step.key(field.getKey()).unknown("step", words);
    }

    /** Finds errors before the run. */
    private static void check(Kind kind, Value value) {
        if (!kind.keys().isEmpty()) {
            value.fields(kind.keys());
        }
        switch (kind) {
            case SETTLE, ADVANCE -> value.duration();
            case APPLY -> Scenario.object(value);
            case DELETE, VISIT -> Names.object(value);
            case BEFORE -> Hooks.check(value);
            case PATCH -> checkPatch(value);
            case SOURCES_COMPLETE, SOURCES_INCOMPLETE, WATCHES_LATE, WATCHES_IN_TIME -> Names.plural(value);
            case REGISTER -> {
                WantedPlugin.check(value);
            }
            case LOSE -> {
                value.require("volume");
                value.require("node");
            }
            case CONTAINERS_RUNNING, CONTAINERS_STOPPED -> Names.pod(value);
            case EXPECT -> Expectation.of(value);
            case SCHEDULE -> {
                Names.pod(value.require("pod"));
                if (value.get("onto") != null && value.get("nowhere") != null) {
                    throw value.key("nowhere").error("a pod gets a node (onto) or none (nowhere): leave one out");
                }
            }
            case FENCE -> {
                value.require("node");
                Evidence.of(value.get("by"));
            }
            case FAIL -> Faults.ofCall(value);
            case REJECT_WRITES -> Faults.ofRequest(value);
            default -> {}
        }
    }

    private static void checkPatch(Value value) {
        var kind = Names.object(value.require("object")).kind();
        Value set = value.require("set");
        set.fields().forEach((path, wanted) -> {
            Value key = set.key(path);
            KnownFields.check(kind, Names.path(path, key), key, wanted);
        });
    }
}
