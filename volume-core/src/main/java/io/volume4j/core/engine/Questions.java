package io.volume4j.core.engine;

import io.volume4j.spi.VolumeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Makes calls that only query. They hold no conflict keys, so steps never wait for a query. Concurrent equal queries
 * share one answer.
 *
 * <p>An answer takes at most the call's deadline, including the time in the queue. While a call hangs, the same query
 * is not repeated until its thread returns. A lane with too many hanging queries gets no more of them, so that they
 * never use the threads that steps need.
 *
 * <p>Loop thread only; answers come on the loop, also from within.
 */
public final class Questions<K> {
    /** For one lane: far below the lane's limit in {@link OperationExecutor.Limits}. */
    private static final int MOST_HANGING = 16;

    private final EventLoop loop;
    private final OperationExecutor executor;
    private final String idPrefix;
    private final Map<K, Question> open = new LinkedHashMap<>();
    private long asked;

    /** @param idPrefix prefix of the calls' ids; different for every start of the owner */
    public Questions(EventLoop loop, OperationExecutor executor, String idPrefix) {
        this.loop = loop;
        this.executor = executor;
        this.idPrefix = idPrefix;
    }

    /**
     * Makes the query, unless an equal query is running.
     * @param key the query
     * @param about the thing that the call depends on, for {@link #withdraw}
     * @param call makes the call; what it throws is the answer
     * @param answer called once with the outcome
     */
    public void ask(K key, String about, Supplier<Call> call, Consumer<Outcome> answer) {
        Question there = open.get(key);
        if (there != null) {
            if (there.answered) {
                answer.accept(Outcome.failure(VolumeException.transientFailure(
                                there.call.lane() + " has not answered yet what it was asked before")
                        .withAdvice("it is asked again when that call returns")));
            } else {
                there.answers.add(answer);
            }
            return;
        }
        Call made;
        try {
            made = call.get();
        } catch (VolumeException failure) {
            answer.accept(Outcome.failure(failure));
            return;
        } catch (RuntimeException | Error bug) {
            // Of the plugin, which is asked for its limit here.
            answer.accept(Outcome.failure(VolumeException.transientFailure("the call could not be made: " + bug)
                    .withCause(bug)));
            return;
        }
        long hanging = open.values().stream()
                .filter(question -> question.answered && question.call.lane().equals(made.lane()))
                .count();
        if (hanging >= MOST_HANGING) {
            answer.accept(Outcome.failure(VolumeException.transientFailure(hanging + " questions to " + made.lane()
                            + " have not been answered; no more are asked until one is")
                    .withAdvice("its storage may not answer at all")));
            return;
        }
        Question question = new Question(key, about, idPrefix + ++asked, made);
        question.answers.add(answer);
        open.put(key, question);
        question.alarm = loop.schedule(made.deadline(), () -> tooLate(question));
        executor.submit(question.id, 1, made, message -> {}, question);
    }

    /** Cancels the query, because the thing that it depends on ends. Its callers get a failure at once. */
    public void withdraw(K key, String about) {
        Question question = open.get(key);
        if (question != null && !question.answered && question.about.equals(about)) {
            question.answer(Outcome.failure(
                    VolumeException.transientFailure("not answered, because it is being taken down meanwhile")));
            executor.cancel(question.id, question.id);
        }
    }

    /** Fails all open queries. The owner closes the executor. */
    public void close(Supplier<VolumeException> refusal) {
        for (Question question : new ArrayList<>(open.values())) {
            question.answer(Outcome.failure(refusal.get()));
        }
    }

    /** The number of open queries, including hanging ones. */
    int size() {
        return open.size();
    }

    private void tooLate(Question question) {
        question.answer(Outcome.failure(VolumeException.uncertain(question.call.lane() + " did not answer within "
                + question.call.deadline().toMillis() + " ms")));
        executor.cancel(question.id, question.id);
    }

    private final class Question implements OperationExecutor.Reports {
        private final K key;
        private final String about;
        private final String id;
        private final Call call;
        private final List<Consumer<Outcome>> answers = new ArrayList<>();
        private EventLoop.Timer alarm = () -> {};
        private boolean answered;

        Question(K key, String about, String id, Call call) {
            this.key = key;
            this.about = about;
            this.id = id;
            this.call = call;
        }

        @Override
        public void ended(Outcome outcome) {
            answer(outcome);
        }

        @Override
        public void returned() {
            open.remove(key, this);
        }

        void answer(Outcome outcome) {
            if (answered) {
                return;
            }
            answered = true;
            alarm.cancel();
            List<Consumer<Outcome>> waiting = new ArrayList<>(answers);
            answers.clear();
            waiting.forEach(each -> each.accept(outcome));
        }
    }
}
