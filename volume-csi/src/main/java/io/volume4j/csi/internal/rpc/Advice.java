package io.volume4j.csi.internal.rpc;

/** What to do about a failure: a name on which the plugin may act, and a sentence for the administrator. */
public enum Advice {
    REACH_DRIVER("check that the driver runs and serves this socket"),
    TRUST_SOCKET("correct owner and mode of the socket and its directories, or trust the user who owns them"),
    REPORT_DRIVER("the driver does not keep to the specification: report it to its maintainer"),
    REPLAY("repeat the same call, or the inverse one; the driver may have done its work"),
    RAISE_LIMIT("the answer was larger than the limit: ask for fewer entries or raise maxInboundBytes"),
    FIX_REQUEST("correct the arguments; the same request will be refused again"),
    CHECK_ID("check that what the id names exists in the backend"),
    CHECK_SOURCE("check that the snapshot or volume to copy from exists"),
    VERIFY_GONE("find out whether it is really gone before taking it for done"),
    USE_ANOTHER_NAME("the name is taken by something different: use another name or the same arguments"),
    UNDO_FIRST("it is there with other arguments: take it away first"),
    ASK_OPERATOR("the backend forbids it: change the rights of the driver's account"),
    FREE_CAPACITY("the backend is full: free capacity or try another place"),
    REFRESH_NODE_INFO("the node can take no more volumes: ask NodeGetInfo for its limit again"),
    FREE_SNAPSHOTS("no room for another snapshot where it is wanted: delete some, or ask for another place"),
    STOP_USING("the volume is still in use: take it out of use first"),
    DETACH_ELSEWHERE("it is on another node: detach it there first"),
    CHECK_USE("the volume is not staged, or cannot be used in this mode"),
    TAKE_OFFLINE("it can only grow while it is on no node: take it off its nodes first"),
    DO_NOT_REPEAT("it cannot grow while it is in use; growing it again is pointless until it was remounted"),
    SCAN_ALL("changes are not tracked: read the whole snapshot instead"),
    FIX_MEMBERS("these volumes cannot be cut together: look at the driver's message"),
    FIX_REQUEST_OR_DELETE_GROUP(
            "correct the arguments or the secret; a snapshot that belongs to a group is deleted with its group"),
    WAIT_FOR_OTHER_CALL("the driver is still busy with another call for it"),
    RESTART_LISTING("the list has changed meanwhile: begin again with the first page"),
    CHANGE_SIZE("the backend has no such size: ask for another one"),
    CHANGE_PARAMETERS("the backend cannot apply these parameters: set others"),
    REFRESH_CAPABILITIES("the driver does not know this call: ask for its capabilities again"),
    RESOLVE_SECRETS("the secrets are not accepted: read them again, then correct them"),
    CHECK_DRIVER("the driver is not well: look at its log");

    private final String text;

    Advice(String text) {
        this.text = text;
    }

    /** The sentence for the administrator. */
    public String text() {
        return text;
    }
}
