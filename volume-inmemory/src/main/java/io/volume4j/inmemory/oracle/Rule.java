package io.volume4j.inmemory.oracle;

/**
 * The rules for every world, whatever crashes, hangs or gives wrong answers.
 *
 * @since 0.1.0
 */
public enum Rule {
    S1("no detach is asked for while a device mount or a pod's mount exists on that node, unless the node is fenced"),
    S2("no device unmount is asked for while a pod's mount of it exists"),
    S3("a device is mounted only where the volume is attached, a pod's mount made only where the device is mounted"),
    S4("a volume for one node is attached to one node, unless the other is fenced"),
    S5("a volume for one pod is with one pod"),
    S6("nothing is formatted that is not proved blank"),
    S7("no device is formatted twice"),
    S8("nothing is unmounted that is not the library's"),
    S9("removal does not cross into a mount and does not leave the root"),
    S10("no storage is deleted unless the policy says so, the claim is gone and no node holds it"),
    S11("a claim has one volume and a volume one claim, by UID"),
    S12("one call at a time for one thing, within one process"),
    S13("no operation id is used by two incarnations"),
    S14("what is there is never believed absent, and what is believed certain is there"),
    S15("nothing is torn down before the pods were listed, nor while a container may use it"),
    S16("every path that is asked for lies below the root"),
    S17("no secret's value gets anywhere but to its driver"),
    S18("a volume that a pod may only read is asked for as such"),
    S19("a node has no more volumes attached than it can take"),
    S20("no process has more calls under way than its limits allow"),
    S21("a volume never shrinks, and a filesystem never outgrows its device"),
    S22("a call goes to the driver that the volume belongs to"),
    S23("a pod is said to be able to go only where each of its volumes can be had"),
    S24("what one claim was promised is promised to no other"),
    S25("what is written to the cluster has the fields, types and required values that a server's schema names"),
    I4("a pod is told of a volume only when it is mounted"),
    L1("when faults stop, what is wanted is reached and stays"),
    L2("nothing is left behind that no object wants"),
    L3("a wish that is withdrawn and made again ends as if it had never been withdrawn"),
    L4("one volume that hangs holds up no other"),
    L5("what waited for a plugin is tried within a second of its return"),
    L6("in calm weather no call is made twice as often as needed"),
    L7("no doubt stays once faults have stopped"),
    L8("what is deleted goes, whatever the order of deletions");

    private final String statement;

    Rule(String statement) {
        this.statement = statement;
    }

    public String statement() {
        return statement;
    }
}
