package io.volume4j.core.control.attach.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.volume4j.core.control.attach.plan.RecordView.Subject;
import io.volume4j.core.engine.Plan;
import io.volume4j.core.engine.Wait;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided about one VolumeAttachment; {@code state} is a list of what is true of it. */
class RecordPlannerTest {
    @ParameterizedTest(name = "{0}: {1} → {2}")
    @CsvSource({
        "is held before anything is asked of the driver, '', CLAIM",
        "is taken over from another process, held, CLAIM",
        "is attached, held ours, ATTACH",
        "has its volume reserved before the driver is asked, held ours unreserved, RESERVE",
        "says what was attached though another record has the volume reserved now, held ours answered unreserved, RECORD_ATTACHED",
        "is taken over from a controller whose place was taken, held attached left, CLAIM",
        "says so when it is attached, held ours answered, RECORD_ATTACHED",
        "is left alone when it says so, held ours attached, ''",
        "is left alone though another process did it, held attached, ''",
        "is attached again when the backend lost it, held ours attached lost, ATTACH",
        "tells why it failed, held ours error, RECORD_ERROR ATTACH",
        "waits for leave to attach, held ours mayNotAttach, ''",
        "waits for what may still take effect, held ours unsettled, ''",
        "is detached when it is deleted, held ours attached deleting, DETACH",
        "is detached also if it was never certain, held ours deleting, DETACH",
        "is not detached while an attach call may still take effect, held ours deleting unsettled, ''",
        "is let go then all the same, held ours deleting unsettled detached, RELEASE",
        "is taken over before it is detached, held attached deleting, CLAIM",
        "waits for leave to detach, held ours attached deleting mayNotDetach, ''",
        "is let go when it is detached, held ours attached deleting detached, RELEASE",
        "tells why detaching failed, held ours attached deleting error, RECORD_ERROR DETACH",
        "is left alone when only finalizers of other programs keep it, attached deleting, ''",
    })
    void aRecord(String rule, String state, String steps) {
        Plan<RecordStep> plan = new RecordPlanner().plan(view(state));

        assertThat(String.join(
                        " ",
                        plan.steps().stream().map(step -> step.kind().name()).toList()))
                .as(rule)
                .isEqualTo(steps);
    }

    /** Time alone may give the leave: nothing happens then that would have the record looked at. */
    @Test
    void looksAgainWhenItMayBeDetachedByThen() {
        Plan<RecordStep> plan = new RecordPlanner().plan(view("held ours deleting mayNotDetach mayDetachSoon"));

        assertThat(plan.waits()).extracting(Wait::notBeforeNanos).containsExactly(40L);
    }

    private static RecordView view(String state) {
        List<String> facts = Arrays.asList(state.split(" "));
        return new RecordView(
                Subject.ATTACHMENT,
                "va",
                "uid",
                "7",
                "mem^v",
                "n1",
                true,
                facts.contains("ours"),
                facts.contains("held"),
                facts.contains("attached"),
                facts.contains("deleting"),
                facts.contains("lost"),
                facts.contains("answered"),
                !facts.contains("unreserved"),
                facts.contains("left"),
                facts.contains("detached"),
                facts.contains("mayNotAttach") ? "not now" : "",
                facts.contains("mayNotDetach") ? "not now" : "",
                facts.contains("mayDetachSoon") ? 40 : Long.MAX_VALUE,
                facts.contains("error") ? "it broke" : "",
                facts.contains("unsettled") ? 20 : 0,
                10);
    }
}
