#include "pass/landmark.hpp"

namespace heddle::pass {

using namespace llvm;

namespace {

// Whether the next round begins with these values.
Value* equals_next(IRBuilder<>& way, ArrayRef<Value*> values, ArrayRef<PHINode*> phis) {
  Value* same = way.getTrue();
  for (std::size_t k = 0; k < phis.size(); ++k)
    same = way.CreateAnd(
        same, way.CreateICmpEQ(values[k], phis[k]->getIncomingValueForBlock(way.GetInsertBlock())));
  return same;
}

}  // namespace

Landmark::Landmark(IRBuilder<>& header, Value* differs, ArrayRef<PHINode*> values)
    : values_(values) {
  for (const PHINode* value : values)
    kept_values_.push_back(carry(header, value->getType(), "heddle.landmark"));
  age_ = carry(header, header.getInt64Ty(), "heddle.landmark.age");
  life_ = carry(header, header.getInt64Ty(), "heddle.landmark.life");

  Value* changed = header.CreateIsNotNull(differs);
  Value* renew = header.CreateOr(changed, header.CreateICmpEQ(age_, life_));
  for (std::size_t k = 0; k < values.size(); ++k)
    landmark_values_.push_back(header.CreateSelect(renew, values[k], kept_values_[k]));
  Value* one = header.getInt64(1);
  next_age_ = header.CreateAdd(header.CreateSelect(renew, header.getInt64(0), age_), one);
  next_life_ = header.CreateSelect(changed, one,
                                   header.CreateSelect(renew, header.CreateShl(life_, one), life_));
}

PHINode* Landmark::carry(IRBuilder<>& header, Type* type, const char* name) {
  BasicBlock& block = *header.GetInsertBlock();
  return PHINode::Create(type, 2, name, block.getFirstNonPHIIt());
}

Value* Landmark::reached(IRBuilder<>& way) const {
  const SmallVector<Value*, 4> now(values_.begin(), values_.end());
  return way.CreateOr(equals_next(way, now, values_), equals_next(way, landmark_values_, values_));
}

void Landmark::connect(ArrayRef<BasicBlock*> ways) {
  for (BasicBlock* before : predecessors(age_->getParent())) {
    const bool back = is_contained(ways, before);
    const auto bring = [&](PHINode* phi, Value* next, Constant* first) {
      phi->addIncoming(back ? next : first, before);
    };
    for (std::size_t k = 0; k < values_.size(); ++k)
      bring(kept_values_[k], landmark_values_[k], Constant::getNullValue(values_[k]->getType()));
    bring(age_, next_age_, ConstantInt::get(age_->getType(), 0));
    bring(life_, next_life_, ConstantInt::get(life_->getType(), 1));
  }
}

}  // namespace heddle::pass
