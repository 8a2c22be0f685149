package io.volume4j.ui.watch;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.volume4j.core.explain.Health;
import io.volume4j.ui.feed.Durations;
import io.volume4j.ui.feed.EndedStep;
import io.volume4j.ui.feed.OpenStep;
import io.volume4j.ui.feed.Rates;
import io.volume4j.ui.rows.RowState;
import io.volume4j.ui.rows.RowTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The summary for all viewers, as JSON. Built from the view's data, without a query to a reconciler. */
public final class SummaryTree {
    private static final int MOST_CALLS = 200;
    private static final int MOST_ATTENTION = 100;
    private static final int MOST_RECENT = 40;
    private static final int MOST_SLOW = 10;
    private static final int SPAN_SECONDS = 5;
    private static final int SPANS = 60;

    private final JsonNodeFactory json = JsonNodeFactory.instance;

    /** The summary of these sources at that time. */
    public ObjectNode of(String title, boolean actions, List<Live> sources, RowTable rows, Instant at) {
        ObjectNode tree = json.objectNode();
        tree.put("title", title);
        tree.put("at", at.toEpochMilli());
        tree.put("actions", actions);
        tree.put("revision", rows.revision());
        Map<RowState, Integer> counts = new EnumMap<>(RowState.class);
        ArrayNode each = tree.putArray("sources");
        for (Live source : sources) {
            each.add(source(source, rows, counts, at));
        }
        tree.set("counts", counts(counts));
        ArrayNode attention = tree.putArray("attention");
        rows.worst(MOST_ATTENTION).forEach(row -> attention.add(RowTree.of(row)));
        tree.set("calls", calls(sources, at));
        tree.set("lanes", lanes(sources));
        tree.set("rates", rates(sources));
        tree.set("kinds", kinds(sources));
        tree.set("slow", slow(sources));
        tree.set("recent", recent(sources, at));
        return tree;
    }

    private ObjectNode source(Live source, RowTable rows, Map<RowState, Integer> sum, Instant at) {
        ObjectNode tree = json.objectNode();
        tree.put("name", source.readings().name());
        tree.put("node", source.readings().node().isPresent());
        Map<RowState, Integer> own = rows.counts(source.readings().name());
        own.forEach((state, count) -> sum.merge(state, count, Integer::sum));
        tree.set("counts", counts(own));
        tree.put("unread", source.readings().feed().waiting());
        source.health().ifPresent(health -> tree.set("health", health(health)));
        source.unanswered()
                .ifPresent(age -> tree.put("unansweredSince", at.minus(age).toEpochMilli()));
        source.journal().ifPresent(journal -> {
            ObjectNode node = tree.putObject("journal");
            node.put("bytes", journal.bytes());
            node.put("queued", journal.queuedRecords());
            node.put("awaitingSnapshot", journal.awaitingSnapshot());
            node.put("outOfSpace", journal.outOfSpace());
            Durations syncs = all(source.readings().feed().syncs(), source);
            node.put("syncs", syncs.count());
            node.put("p50", syncs.millis(0.5));
            node.put("p99", syncs.millis(0.99));
        });
        return tree;
    }

    private static Durations all(Rates rates, Live source) {
        return rates.spans(source.readings().feed().nanoTime(), SPAN_SECONDS * SPANS, 1)
                .get(0)
                .took();
    }

    private ObjectNode health(Health health) {
        ObjectNode tree = json.objectNode();
        tree.put("live", health.live());
        tree.put("ready", health.ready());
        tree.put("leads", health.leads());
        ArrayNode reasons = tree.putArray("reasons");
        health.reasons().forEach(reasons::add);
        return tree;
    }

    private ObjectNode counts(Map<RowState, Integer> counts) {
        ObjectNode tree = json.objectNode();
        for (RowState state : RowState.values()) {
            tree.put(state.word(), counts.getOrDefault(state, 0));
        }
        return tree;
    }

    /** Calls past their deadline come first, then the oldest. */
    private ArrayNode calls(List<Live> sources, Instant at) {
        // Contains the state at one time: a sort by values that other threads change may throw.
        record Call(Live source, OpenStep step, OpenStep.State state, long age) {}
        List<Call> calls = new ArrayList<>();
        for (Live source : sources) {
            long now = source.readings().feed().nanoTime();
            source.readings()
                    .feed()
                    .open()
                    .forEach(step -> calls.add(new Call(source, step, step.state(), now - step.beganNanos())));
        }
        calls.sort(Comparator.comparing((Call call) -> call.state() != OpenStep.State.WRITTEN_OFF)
                .thenComparing(call -> -call.age()));
        ArrayNode array = json.arrayNode();
        for (Call call : calls.subList(0, Math.min(MOST_CALLS, calls.size()))) {
            ObjectNode tree = array.addObject();
            tree.put("source", call.source().readings().name());
            tree.put("id", call.step().id());
            tree.put("kind", call.step().kind());
            tree.put("key", call.step().key().toString());
            tree.put("attempt", call.step().attempt());
            tree.put("state", call.state().name());
            tree.put("age", TimeUnit.NANOSECONDS.toMillis(call.age()));
            Instant deadline = call.source().deadlines().get(call.step().id());
            if (deadline != null) {
                tree.put("left", deadline.toEpochMilli() - at.toEpochMilli());
            }
        }
        return array;
    }

    private ArrayNode lanes(List<Live> sources) {
        ArrayNode array = json.arrayNode();
        for (Live source : sources) {
            Map<String, Map<OpenStep.State, Integer>> lanes = new TreeMap<>();
            for (OpenStep step : source.readings().feed().open()) {
                lanes.computeIfAbsent(
                                source.readings().plugin(step.key()), plugin -> new EnumMap<>(OpenStep.State.class))
                        .merge(step.state(), 1, Integer::sum);
            }
            lanes.forEach((plugin, states) -> {
                ObjectNode tree = array.addObject();
                tree.put("source", source.readings().name());
                tree.put("plugin", plugin);
                tree.put("running", states.getOrDefault(OpenStep.State.RUNNING, 0));
                tree.put("queued", states.getOrDefault(OpenStep.State.QUEUED, 0));
                tree.put("writtenOff", states.getOrDefault(OpenStep.State.WRITTEN_OFF, 0));
            });
        }
        return array;
    }

    private ObjectNode rates(List<Live> sources) {
        ObjectNode tree = json.objectNode();
        tree.put("seconds", SPAN_SECONDS);
        ArrayNode per = tree.putArray("perSecond");
        ArrayNode failed = tree.putArray("failedPerSecond");
        ArrayNode p50 = tree.putArray("p50");
        ArrayNode p99 = tree.putArray("p99");
        List<List<Rates.Span>> each = new ArrayList<>();
        for (Live source : sources) {
            each.add(source.readings()
                    .feed()
                    .steps()
                    .spans(source.readings().feed().nanoTime(), SPAN_SECONDS, SPANS));
        }
        for (int i = 0; i < SPANS; i++) {
            int place = i;
            Durations took = Durations.sum(
                    each.stream().map(spans -> spans.get(place).took()).toList());
            long bad =
                    each.stream().mapToLong(spans -> spans.get(place).failed()).sum();
            per.add(took.count() / (double) SPAN_SECONDS);
            failed.add(bad / (double) SPAN_SECONDS);
            p50.add(took.millis(0.5));
            p99.add(took.millis(0.99));
        }
        return tree;
    }

    /** The number, failures and durations of the kept steps, by kind. */
    private ArrayNode kinds(List<Live> sources) {
        Map<String, List<EndedStep>> kinds = new TreeMap<>();
        for (Live source : sources) {
            source.readings()
                    .feed()
                    .recent()
                    .forEach(step -> kinds.computeIfAbsent(step.kind(), kind -> new ArrayList<>())
                            .add(step));
        }
        ArrayNode array = json.arrayNode();
        kinds.forEach((kind, steps) -> {
            long[] took =
                    steps.stream().mapToLong(EndedStep::tookNanos).sorted().toArray();
            ObjectNode tree = array.addObject();
            tree.put("kind", kind);
            tree.put("count", took.length);
            tree.put(
                    "failed",
                    steps.stream().filter(step -> !step.failure().isEmpty()).count());
            tree.put("p50", took[took.length / 2] / 1e6);
            tree.put("p99", took[(int) Math.min(took.length - 1L, took.length * 99L / 100)] / 1e6);
            tree.put("max", took[took.length - 1] / 1e6);
        });
        return array;
    }

    /** The volumes and objects with the longest total duration of steps. */
    private ArrayNode slow(List<Live> sources) {
        record Sum(String source, String key, long nanos, int steps, int failed) {}
        List<Sum> sums = new ArrayList<>();
        for (Live source : sources) {
            Map<Object, Sum> by = new HashMap<>();
            for (EndedStep step : source.readings().feed().recent()) {
                Sum one = new Sum("", "", step.tookNanos(), 1, step.failure().isEmpty() ? 0 : 1);
                by.merge(
                        step.key(),
                        one,
                        (left, right) -> new Sum(
                                "",
                                "",
                                left.nanos() + right.nanos(),
                                left.steps() + right.steps(),
                                left.failed() + right.failed()));
            }
            by.forEach((key, sum) -> sums.add(
                    new Sum(source.readings().name(), key.toString(), sum.nanos(), sum.steps(), sum.failed())));
        }
        sums.sort(Comparator.comparingLong(Sum::nanos).reversed().thenComparing(Sum::key));
        ArrayNode array = json.arrayNode();
        for (Sum sum : sums.subList(0, Math.min(MOST_SLOW, sums.size()))) {
            ObjectNode tree = array.addObject();
            tree.put("source", sum.source());
            tree.put("key", sum.key());
            tree.put("millis", sum.nanos() / 1e6);
            tree.put("steps", sum.steps());
            tree.put("failed", sum.failed());
        }
        return array;
    }

    private ArrayNode recent(List<Live> sources, Instant at) {
        record Ended(Live source, EndedStep step, long ago) {}
        List<Ended> all = new ArrayList<>();
        for (Live source : sources) {
            long now = source.readings().feed().nanoTime();
            source.readings().feed().recent().stream()
                    .limit(MOST_RECENT)
                    .forEach(step -> all.add(new Ended(source, step, now - step.endedNanos())));
        }
        all.sort(Comparator.comparingLong(Ended::ago));
        ArrayNode array = json.arrayNode();
        for (Ended ended : all.subList(0, Math.min(MOST_RECENT, all.size()))) {
            ObjectNode tree = array.addObject();
            tree.put("source", ended.source().readings().name());
            tree.put("kind", ended.step().kind());
            tree.put("key", ended.step().key().toString());
            tree.put("attempt", ended.step().attempt());
            tree.put("at", at.minusNanos(ended.ago()).toEpochMilli());
            tree.put("millis", ended.step().tookNanos() / 1e6);
            tree.put("failure", ended.step().failure());
        }
        return array;
    }
}
